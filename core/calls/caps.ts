/** Limits on the open calls of one user. Source: contract. */
export const caps = { waiting: 1_000, running: 50 }
