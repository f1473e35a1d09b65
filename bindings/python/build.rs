//! Passes on the properties of the Python that the module is built for, such as `Py_GIL_DISABLED`.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
