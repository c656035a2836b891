! A bushing as a user-written variable of a multibody code: a subroutine shaped like VARSUB, and a main
! program that calls it as such a code would.
!
!     gfortran varsub.f90 -lmasing_c -o varsub && ./varsub model.toml

module masing
    use, intrinsic :: iso_c_binding, only: c_ptr, c_char, c_double, c_int, c_size_t
    implicit none

    interface
        function masing_open(path, message, length) bind(c) result(model)
            import :: c_ptr, c_char, c_size_t
            character(kind=c_char), intent(in) :: path(*)
            character(kind=c_char), intent(out) :: message(*)
            integer(c_size_t), value :: length
            type(c_ptr) :: model
        end function

        function masing_step(model, dt, displacement) bind(c) result(force)
            import :: c_ptr, c_double
            type(c_ptr), value :: model
            real(c_double), value :: dt, displacement
            real(c_double) :: force
        end function

        function masing_state_size(model) bind(c) result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: model
            integer(c_size_t) :: length
        end function

        function masing_get_state(model, state) bind(c) result(failed)
            import :: c_ptr, c_double, c_int
            type(c_ptr), value :: model
            real(c_double), intent(out) :: state(*)
            integer(c_int) :: failed
        end function

        function masing_set_state(model, state) bind(c) result(failed)
            import :: c_ptr, c_double, c_int
            type(c_ptr), value :: model
            real(c_double), intent(in) :: state(*)
            integer(c_int) :: failed
        end function

        subroutine masing_close(model) bind(c)
            import :: c_ptr
            type(c_ptr), value :: model
        end subroutine
    end interface
end module

! The part, and where it stood at the last step that the solver kept.
module bushing
    use masing
    use, intrinsic :: iso_c_binding, only: c_associated, c_null_char
    implicit none
    character(len=256) :: file = ""
    type(c_ptr) :: model
    real(c_double) :: time_kept
    real(c_double), allocatable :: state_kept(:)
contains

    ! What the multibody code would be asked for: the displacement between two markers.
    function displacement_at(time) result(x)
        real(c_double), intent(in) :: time
        real(c_double) :: x
        real(c_double), parameter :: pi = 3.14159265358979323846_c_double
        x = 5.0e-4_c_double * sin(2.0_c_double * pi * 2.0_c_double * time)
    end function
end module

! value = force of the bushing at time. Called with iflag at the start; with dflag when the solver only
! looks (to difference), and then nothing must be kept.
subroutine varsub(id, time, par, npar, dflag, iflag, value)
    use bushing
    implicit none
    integer, intent(in) :: id, npar
    real(c_double), intent(in) :: time, par(npar)
    logical, intent(in) :: dflag, iflag
    real(c_double), intent(out) :: value
    character(kind=c_char) :: message(256)
    integer :: failed, i

    if (iflag) then
        model = masing_open(trim(file) // c_null_char, message, size(message, kind=c_size_t))
        if (.not. c_associated(model)) then
            do i = 1, size(message)
                if (message(i) == c_null_char) exit
                write (*, '(a)', advance='no') message(i)
            end do
            write (*, '(a, i0)') " in variable ", id
            stop 1
        end if
        allocate (state_kept(masing_state_size(model)))
        value = masing_step(model, 0.0_c_double, displacement_at(time))
        time_kept = time
        failed = masing_get_state(model, state_kept)
        return
    end if

    ! Every call starts from the last kept step, so that trial calls leave no trace.
    failed = masing_set_state(model, state_kept)
    value = par(1) * masing_step(model, time - time_kept, displacement_at(time))
    if (.not. dflag) then
        time_kept = time
        failed = masing_get_state(model, state_kept)
    end if
    if (failed /= 0) stop 1
end subroutine

program solver
    use bushing
    implicit none
    real(c_double), parameter :: dt = 1.0e-3_c_double
    real(c_double) :: force, trial, par(1)
    integer :: i

    interface
        subroutine varsub(id, time, par, npar, dflag, iflag, value)
            import :: c_double
            integer, intent(in) :: id, npar
            real(c_double), intent(in) :: time, par(npar)
            logical, intent(in) :: dflag, iflag
            real(c_double), intent(out) :: value
        end subroutine
    end interface

    call get_command_argument(1, file)
    par = 1.0_c_double
    call varsub(1, 0.0_c_double, par, 1, .false., .true., force)
    write (*, '(a)') "time [s],displacement [m],force [N]"
    call show(0.0_c_double, force)
    do i = 1, 1000
        call varsub(1, i * dt + 0.3_c_double * dt, par, 1, .true., .false., trial)
        call varsub(1, i * dt, par, 1, .false., .false., force)
        call show(i * dt, force)
    end do
    call masing_close(model)
    deallocate (state_kept)

contains

    subroutine show(time, force)
        real(c_double), intent(in) :: time, force
        write (*, '(es24.16e3, ",", es24.16e3, ",", es24.16e3)') time, displacement_at(time), force
    end subroutine
end program
