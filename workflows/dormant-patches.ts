/**
 * Patches that this release can replay and does not begin yet: the next one does, by taking them out here. So the release before can go on
 * with every run, also after a way back.
 */
export const dormantPatches: ReadonlySet<string> = new Set<string>()
