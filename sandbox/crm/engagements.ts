import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type Account, type Viewer } from '../platform/types.ts'
import { tracks, type Engagement, type Stage, type Track } from './entities.ts'
import { visible } from './levels.ts'
import { among, insert, nextId, stored, where, type Slice, type Wish } from './tables.ts'

const joined = `SELECT e.*, s.label AS stage_label, p.name, p.mail, p.mobile FROM engagements e
  JOIN stages s ON s.id = e.stage JOIN people p ON p.id = e.person`

function toEngagement(row: Row): Engagement {
  return {
    id: number(row, 'id'),
    headline: text(row, 'headline'),
    person: {
      id: number(row, 'person'),
      name: text(row, 'name'),
      mail: text(row, 'mail'),
      mobile: text(row, 'mobile'),
    },
    track: among(tracks, text(row, 'track')),
    stage: { id: number(row, 'stage'), label: text(row, 'stage_label') },
    labels: stored(text(row, 'labels')) as string[],
    eventOn: maybeText(row, 'event_on'),
    zone: text(row, 'zone'),
    currency: text(row, 'currency'),
    memo: text(row, 'memo'),
    assignee: text(row, 'assignee'),
    opened: number(row, 'opened'),
  }
}

/** One that the viewer may see; any other does not exist. */
export function findEngagement(db: DatabaseSync, viewer: Viewer, id: number): Engagement {
  const { sql, values } = where(['e.id = ?', id], visible(viewer))
  const row = one(db, `${joined} WHERE ${sql}`, ...values)
  if (!row) throw new Refusal(404, 'ENGAGEMENT_NOT_FOUND', 'You have no such engagement.', 'engagementId')
  return toEngagement(row)
}

interface EngagementFilter {
  track: Track | undefined
  stage: number | undefined
  openedFrom: number | undefined
}

/** Newest first. */
export function listEngagements(
  db: DatabaseSync,
  viewer: Viewer,
  { track, stage, openedFrom }: EngagementFilter,
  wish: Wish,
): Slice<Engagement> {
  const { sql, values } = where(
    visible(viewer),
    track !== undefined && ['e.track = ?', track],
    stage !== undefined && ['e.stage = ?', stage],
    openedFrom !== undefined && ['e.opened >= ?', openedFrom],
  )
  const after = wish.after ?? Number.MAX_SAFE_INTEGER
  const rows = all(
    db,
    `${joined} WHERE ${sql} AND e.id < ? ORDER BY e.id DESC LIMIT ?`,
    ...values,
    after,
    wish.first + 1,
  )
  return { rows: rows.map(toEngagement), total: count(db, `engagements e WHERE ${sql}`, ...values) }
}

export function insertEngagement(db: DatabaseSync, account: Account, made: Omit<Engagement, 'id'>): Engagement {
  const id = nextId(db, 'engagements', account)
  insert(db, 'engagements', {
    id,
    account: account.account,
    person: made.person.id,
    headline: made.headline,
    track: made.track,
    stage: made.stage.id,
    labels: JSON.stringify(made.labels),
    event_on: made.eventOn ?? null,
    zone: made.zone,
    currency: made.currency,
    memo: made.memo,
    assignee: made.assignee,
    opened: made.opened,
  })
  return { ...made, id }
}

/** Any stage of the studio's own, in any order, but another one. */
export function moveEngagement(db: DatabaseSync, engagement: Engagement, stage: Stage): Engagement {
  if (stage.id === engagement.stage.id) {
    throw new Refusal(409, 'STAGE_UNCHANGED', `The engagement is in the stage "${stage.label}" already.`, 'stageId')
  }
  run(db, 'UPDATE engagements SET stage = ? WHERE id = ?', stage.id, engagement.id)
  return { ...engagement, stage }
}
