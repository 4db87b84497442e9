import type { Shape } from '../../connectors/recordings/shape.ts'
import type { Db } from '../database/pool.ts'

/** As it stands in its column: each place with the kinds of values there. */
export type KeptShape = readonly (readonly [place: string, sorts: readonly string[]])[]

export function shapeFrom(kept: KeptShape): Shape {
  return new Map(kept.map(([place, sorts]) => [place, new Set(sorts)]))
}

/** What a place had at any time: what was missing once may be missing. */
export function united(...shapes: readonly Shape[]): KeptShape {
  const places = new Set(shapes.flatMap((shape) => [...shape.keys()]))
  return [...places].map((place) => [
    place,
    [...new Set(shapes.flatMap((shape) => [...(shape.get(place) ?? [])]))].toSorted(),
  ])
}

/** An operator takes what the last looks found as one of the ways in which the endpoint may answer. */
export async function takeAsItIs(db: Db, app: string, endpoint: string): Promise<void> {
  const { rows } = await db.query<{ id: string; shape: KeptShape; latest: KeptShape }>(
    `SELECT id, shape, latest FROM watches
     WHERE app = $1 AND endpoint = $2 AND ended_at IS NULL AND shape IS NOT NULL AND latest IS NOT NULL ORDER BY id FOR UPDATE`,
    [app, endpoint],
  )
  for (const { id, shape, latest } of rows)
    await db.query('UPDATE watches SET shape = $2 WHERE id = $1', [
      id,
      JSON.stringify(united(shapeFrom(shape), shapeFrom(latest))),
    ])
}
