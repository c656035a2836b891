//! What can go wrong while a page is made.

/// The errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The page could not be put together: a broken template, never the data.
    #[error("the page could not be made: {0}")]
    Template(#[from] minijinja::Error),
}
