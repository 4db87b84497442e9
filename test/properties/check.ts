import fc from 'fast-check'

/** For tests with properties: they stop by themselves long before. */
export const timeout = 90_000

/**
 * Runs a property with the same values every time. A failure prints seed and path, and PROPERTY_SEED tries other values.
 * On a slow machine it tries fewer, and looks less long for the simplest failure.
 */
export async function check<T extends [unknown, ...unknown[]]>(
  property: fc.IAsyncPropertyWithHooks<T>,
  numRuns: number,
): Promise<void> {
  const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_121)
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 40_000 })
}
