/**
 * Patches that this release can replay but does not begin; the next one begins them, by removing
 * them here. So the previous release can continue every run, even after a rollback.
 */
export const dormantPatches: ReadonlySet<string> = new Set<string>()
