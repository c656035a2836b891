//! debug
mod dampers;
use masing_identify::stages::*;
fn cpu() -> f64 { std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9 }
#[test]
fn show() {
    for (d, q) in [(dampers::four_stages(), 0.15), (dampers::three_stages(), 0.1)] {
      for seed in [1u64, 2] {
        let (a, t) = d.slow_record(6000, q, 100 + seed);
        let now = cpu();
        let slow = characterise(&a, &t, &SlowOptions::default()).unwrap();
        println!("slow {:.2}s", cpu() - now);
        let fast = d.release();
        let v = fast.noisy_velocity(0.01, 200 + seed);
        let record = FastRecord { time: fast.time.clone(), torque: fast.torque.clone(), velocity: Some(v), ..FastRecord::default() };
        let motion = Motion::of(&record, &slow.device, d.inertia).unwrap();
        let now = cpu();
        let found = analyse(&motion, &slow.device, &FastOptions { time_scale: Some(0.1), ..FastOptions::default() }).unwrap();
        println!("fast {:.2}s eta {} noise {:.5} numerics {:?}", cpu() - now, found.eta, motion.noise, found.numerics);
        let bench = Bench::of(&motion, &slow.device, found.eta).unwrap();
        let t0 = cpu(); bench.run(&motion, &slow.device, &vec![0.0; slow.device.len()]).unwrap(); println!("one long run {:.3}", cpu() - t0);
        let t0 = cpu(); Bench::of(&motion, &slow.device, found.eta).unwrap(); println!("choose {:.3}", cpu() - t0);
        let t0 = cpu(); let r = refine(&motion, &slow.device, &found.energy, &bench, &found.cumulative.friction, Freedom { clearance_friction: false, more_than_friction: true }).unwrap(); println!("refine {:.3} evals {}", cpu() - t0, r.evaluations);
        println!("isl {:?} {:?}", found.linearised.deviation, found.linearised.elastic_deviation);
        println!("E {:?} slow {:?} regimes {:?}", found.energy.dissipated, found.energy.slow, found.regimes);
        for s in &found.energy.stages { println!("  {} E {:.3} cov {:.2} gain {:.2?} {:?} h {:.3} c {:.3}", slow.device.name(s.stage.outer), s.energy, s.coverage, s.gain, s.accepted, s.friction, s.viscous); }
        println!("cum {:.3?}", found.cumulative.friction);
        for j in &found.judged { println!("{} {:.3?} R {:.3?} {:.3?} last {:.3?} rms {:.3} mrad", j.formulation.name, j.formulation.parameters.first(), j.metrics.errors, j.metrics.periods, j.metrics.periods_last_crossing, 1e3*j.metrics.rms_angle); }
        println!("{:?}", found.ranking);
        let r = &found.refined;
        println!("refined h {:.3?} truth {:?}", r.device.friction, d.fast_friction);
        println!("err {:.3?} status {:?}", r.friction_error, r.status);
        println!("c {:.5?} edges {:.4?} {:.4?} scales {:.4?} chi2 {:.3} lag {:.3} evals {} {:?}", r.viscous, (r.device.angles[slow.device.minus], r.device.angles[slow.device.plus]), r.edge_error, r.scales, r.chi2_dof, r.lag1, r.evaluations, r.stop);
        println!("metrics {:.4?} rms {:.4} mrad", found.refined_metrics, 1e3*found.refined_metrics.rms_angle);
        let rms: f64 = (0..fast.angle.len()).map(|i| (fast.angle[i]-found.refined_motion.angle[i]).powi(2)).sum::<f64>()/fast.angle.len() as f64;
        println!("rms vs truth {:.4} mrad", 1e3*rms.sqrt());
        for w in &found.warnings { println!("{}: {}", w.code, w.message); }
      }
    }
}
