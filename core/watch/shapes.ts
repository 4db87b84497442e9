import type { Shape } from '../../connectors/recordings/shape.ts'
import type { Db } from '../database/pool.ts'

/** The shape as stored: each path with the kinds of values found there. */
export type KeptShape = readonly (readonly [place: string, sorts: readonly string[]])[]

export function shapeFrom(kept: KeptShape): Shape {
  return new Map(kept.map(([place, sorts]) => [place, new Set(sorts)]))
}

/** Union of shapes: what was missing once is optional. */
export function united(...shapes: readonly Shape[]): KeptShape {
  const places = new Set(shapes.flatMap((shape) => [...shape.keys()]))
  return [...places].map((place) => [
    place,
    [...new Set(shapes.flatMap((shape) => [...(shape.get(place) ?? [])]))].toSorted(),
  ])
}

/** Accepts the latest answers' shape as one of the endpoint's valid shapes. */
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
