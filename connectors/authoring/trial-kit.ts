/** The kit of a trial: what its author has not decided yet ends nothing, for only one endpoint of the connector is tried. */
export * from '../kit/index.ts'

export function undecided(): undefined {
  return undefined
}
