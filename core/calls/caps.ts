/** So many calls of an owner may be open. Source: contract. */
export const caps = { waiting: 1_000, running: 50 }
