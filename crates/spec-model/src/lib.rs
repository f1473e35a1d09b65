//! spec-model
