"""Writes files of every kind that masing-data reads, with programs that are not ours.

    python make_files.py DIRECTORY

Needs numpy, scipy, h5py, npTDMS, pyuff, rpc3-file, asammdf, openpyxl, pyarrow. Every file holds the same test:
1001 samples at 1 kHz, x = 1.5 mm sin(2 pi 5 t), F = 450 N sin(2 pi 5 t + 0.2).
"""

import json
import sys
from pathlib import Path

import numpy as np

out = Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)

t = np.arange(1001) * 1e-3
x = 1.5 * np.sin(2 * np.pi * 5 * t)  # mm
f = 450.0 * np.sin(2 * np.pi * 5 * t + 0.2)  # N


def text():
    rows = [f"{a!r};{b!r};{c!r}" for a, b, c in zip(t.tolist(), x.tolist(), f.tolist())]
    body = "\n".join(rows) + "\n"
    (out / "cp1252.csv").write_bytes(("# für Prüfstand § 7\nZeit [s];Weg [mm];Kraft [N]\n" + body).encode("cp1252"))
    (out / "decimal_comma.csv").write_text("Zeit [s];Weg [mm];Kraft [N]\n" + body.replace(".", ","), encoding="utf-8-sig")
    (out / "gbk.csv").write_bytes(("时间(s);位移(mm);力(N)\n" + body).encode("gbk"))
    (out / "utf16.txt").write_text("Time [s]\tx [mm]\tF [N]\n" + body.replace(";", "\t"), encoding="utf-16")


def matlab():
    from scipy.io import savemat

    plain = {"t": t, "x": x, "F": f, "fs": 1000.0, "comment": "made by scipy"}
    savemat(out / "v5.mat", plain, do_compression=False)
    savemat(out / "v7.mat", plain, do_compression=True)
    savemat(out / "column.mat", plain, do_compression=True, oned_as="column")
    run = {"time": t, "displacement": x, "force": f, "info": {"rig": "seven"}}
    savemat(out / "struct.mat", {"run": run, "other": np.arange(4)}, do_compression=True)
    savemat(out / "matrix.mat", {"data": np.column_stack([t, x, f])}, do_compression=True)
    names = np.array([("Time", "s"), ("Weg", "mm"), ("Kraft", "N")])
    y = np.empty(3, dtype=[("Name", object), ("Unit", object), ("Data", object)])
    for i, d in enumerate([t, x, f]):
        y[i] = (names[i, 0], names[i, 1], d)
    savemat(out / "dspace.mat", {"rec": {"Y": y}}, do_compression=True)
    scaled = {"t": t.astype("f4"), "x": np.round(x * 1e4).astype("i2"), "F": f.astype("f4")}
    savemat(out / "types.mat", scaled, do_compression=True)


def matlab73():
    import h5py

    path = out / "v73.mat"
    with h5py.File(path, "w", userblock_size=512) as h:
        group = h.create_group("run")
        group.attrs["MATLAB_class"] = np.bytes_("struct")
        for name, data in [("time", t), ("displacement", x), ("force", f)]:
            d = group.create_dataset(name, data=data.reshape(1, -1), compression="gzip")
            d.attrs["MATLAB_class"] = np.bytes_("double")
        d = group.create_dataset("rig", data=np.array([[ord(c)] for c in "seven"], dtype="u2"))
        d.attrs["MATLAB_class"] = np.bytes_("char")
    header = b"MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Sun Nov 15 20:00:00 2026 HDF5 schema 1.00 ."
    with open(path, "r+b") as h:
        h.write(header.ljust(124, b" ") + b"\x00\x02IM")


def hdf5():
    import h5py

    for name, libver in [("plain.h5", ("earliest", "v114")), ("v110.h5", ("v110", "v114"))]:
        with h5py.File(out / name, "w", libver=libver) as h:
            h.attrs["rig"] = "seven"
            group = h.create_group("test")
            for label, data, unit in [("time", t, "s"), ("displacement", x, "mm"), ("force", f, "N")]:
                d = group.create_dataset(label, data=data, chunks=(100,), compression="gzip", shuffle=True, fletcher32=True)
                d.attrs["unit"] = unit
    with h5py.File(out / "compound.h5", "w") as h:
        rows = np.zeros(t.size, dtype=[("t_s", "f8"), ("x_mm", "f4"), ("F_N", "f8")])
        rows["t_s"], rows["x_mm"], rows["F_N"] = t, x, f
        h["table"] = rows


def tdms():
    from nptdms import ChannelObject, GroupObject, RootObject, TdmsWriter

    half = 500
    with TdmsWriter(out / "two_segments.tdms") as w:
        for part in (slice(0, half), slice(half, None)):
            channels = [
                ChannelObject("rig", "Weg", x[part], properties={"unit_string": "mm", "wf_increment": 1e-3}),
                ChannelObject("rig", "Kraft", f[part].astype("f4"), properties={"unit_string": "N", "wf_increment": 1e-3}),
            ]
            w.write_segment([RootObject(properties={"operator": "Jo"}), GroupObject("rig"), *channels])


def uff():
    import pyuff

    def sets(binary, double=True):
        for name, data, unit, code in [("axial displacement", x, "mm", 8), ("axial force", f, "N", 13)]:
            yield {
                "type": 58, "binary": binary, "func_type": 1, "id1": name, "id2": "", "id3": "", "id4": "", "id5": "",
                "rsp_node": 1, "rsp_dir": 1, "ref_node": 1, "ref_dir": 1, "rsp_ent_name": "NONE", "ref_ent_name": "NONE",
                "ver_num": 0, "load_case_id": 0, "abscissa_spacing": 1, "abscissa_min": 0.0, "abscissa_inc": 1e-3,
                "z_axis_value": 0.0, "abscissa_spec_data_type": 17, "ordinate_spec_data_type": code,
                "abscissa_axis_units_lab": "s", "ordinate_axis_lab": name[:20], "ordinate_axis_units_lab": unit,
                "orddenom_spec_data_type": 0, "z_axis_spec_data_type": 0, "n_bytes": 0, "x": t, "data": data,
                "ord_data_type": 4 if double else 2,
            }

    for name, binary, double in [("ascii.uff", 0, True), ("binary.uff", 1, True), ("single.uff", 0, False)]:
        path = out / name
        path.unlink(missing_ok=True)
        file = pyuff.UFF(str(path))
        # Overwriting loses the header of a binary set.
        file.write_sets(list(sets(binary, double)), "add", force_double=double)


def rpc():
    import rpc3

    rpc3.rpc3.progressbar = False
    channels = [rpc3.rpc3.Channel("Axial Displacement", "mm", 1e-3, x), rpc3.rpc3.Channel("Axial Force", "N", 1e-3, f)]
    rpc3.rpc3.write(str(out / "short.rsp"), channels, datatype=int, overwrite=True)
    rpc3.rpc3.write(str(out / "float.rsp"), channels, datatype=float, overwrite=True)
    rpc3.rpc3.write(str(out / "groups.rsp"), channels, datatype=int, pts_per_group=256, overwrite=True)


def mdf():
    from asammdf import MDF, Signal

    signals = [
        Signal(samples=x, timestamps=t, name="Displacement", unit="mm"),
        Signal(samples=f.astype("f4"), timestamps=t, name="Force", unit="N"),
    ]
    for name, compression in [("plain.mf4", 0), ("deflate.mf4", 1), ("transposed.mf4", 2)]:
        with MDF(version="4.10") as m:
            m.append(signals, comment="made by asammdf")
            m.save(out / name, overwrite=True, compression=compression)


def excel():
    from openpyxl import Workbook

    book = Workbook()
    notes = book.active
    notes.title = "notes"
    notes.append(["nothing but words here"])
    sheet = book.create_sheet("test 1")
    sheet.append(["Rig:", "seven"])
    sheet.append([])
    sheet.append(["Time", "Displacement", "Force"])
    sheet.append(["s", "mm", "N"])
    for row in zip(t.tolist(), x.tolist(), f.tolist()):
        sheet.append(row)
    table = book.create_sheet("kdyn")
    table.append(["f [Hz]", "0.1 mm", "0.5 mm", "1 mm"])
    for hz in (1, 5, 10):
        table.append([hz, 500 + hz, 400 + hz, 300 + hz])
    book.save(out / "book.xlsx")


def parquet():
    import pyarrow as pa
    import pyarrow.parquet as pq

    force = [None if i == 7 else v for i, v in enumerate(f.tolist())]
    table = pa.table({"t [s]": t, "x [mm]": x.astype("f4"), "F [N]": force, "note": ["a"] * t.size})
    pq.write_table(table, out / "snappy.parquet", compression="snappy", row_group_size=300)
    pq.write_table(table, out / "zstd.parquet", compression="zstd")
    pq.write_table(table, out / "gzip.parquet", compression="gzip")
    stamps = pa.array((1_600_000_000_000 + np.arange(t.size)).tolist(), pa.timestamp("ms"))
    pq.write_table(pa.table({"time": stamps, "x [mm]": x, "F [N]": f}), out / "stamps.parquet", compression="snappy")


def jsons():
    rows = [{"time [s]": a, "x [mm]": b, "F [N]": c} for a, b, c in zip(t.tolist(), x.tolist(), f.tolist())]
    (out / "rows.json").write_text(json.dumps(rows))
    (out / "lines.json").write_text("\n".join(json.dumps(r) for r in rows))
    (out / "columns.json").write_text(json.dumps({"rig": "seven", "time [s]": t.tolist(), "x [mm]": x.tolist(), "F [N]": f.tolist()}))
    arrays = [["time [s]", "x [mm]", "F [N]"]] + np.column_stack([t, x, f]).tolist()
    (out / "arrays.json").write_text(json.dumps({"data": arrays}))


for step in (text, matlab, matlab73, hdf5, tdms, uff, rpc, mdf, excel, parquet, jsons):
    step()
print(f"wrote {len(list(out.iterdir()))} files to {out}")
