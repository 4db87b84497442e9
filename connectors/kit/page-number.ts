/** The page's own number, beside those of its elements. */
export const pageItself = -1
