import { createHmac } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { number, one, run, text } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type SignedIn } from '../platform/types.ts'
import { isClip, listEntries, type Entry } from './entries.ts'
import { findJourney, ownJourney, type Journey } from './journeys.ts'
import { readOne } from './lists.ts'
import { entryFull, journeyFull } from './wire.ts'
import { zip, type ZipFile } from './zip.ts'

interface Archive {
  journey: Journey
  format: 'json' | 'gpx' | 'md'
  media: boolean
  href: string
  goodUntil: number
}

/** Packs a journey to take away, good for an hour from now. The link needs no session; packing it again renews it. */
export function packJourney(request: SignedIn): Archive {
  const { db, viewer, query, now, base } = request
  const { account, password } = viewer.account
  const journey = ownJourney(request)
  const format = readOne(query, 'as', ['json', 'gpx', 'md'])
  const media = readOne(query, 'originals', ['no', 'yes']) === 'yes'
  const key = createHmac('sha256', password).update(`${journey.id} ${format} ${media}`).digest('base64url')
  const sql = `INSERT INTO archives VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET good_until = ?6`
  run(db, sql, key, account, journey.id, format, media ? 1 : 0, now + 3600)
  return { journey, format, media, href: `${base}/take-away/${key}`, goodUntil: now + 3600 }
}

const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const moment = ({ at }: Entry): string => new Date(at * 1000).toISOString()

function gpx(journey: Journey, entries: readonly Entry[]): string {
  const points = entries.flatMap((entry) => {
    const { geo } = entry.spot
    if (geo === null) return []
    const place = `lat="${(geo.lat6 / 1e6).toFixed(6)}" lon="${(geo.lng6 / 1e6).toFixed(6)}"`
    return [`<rtept ${place}><time>${moment(entry)}</time><name>${escape(entry.heading)}</name></rtept>`]
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Errabund" xmlns="http://www.topografix.com/GPX/1/1"><rte><name>${escape(journey.heading)}</name>
${points.join('\n')}
</rte></gpx>
`
}

const markdown = (journey: Journey, entries: readonly Entry[]): string =>
  [
    `# ${journey.heading}\n`,
    journey.blurb,
    ...entries.map((entry) => `\n## ${entry.heading}\n\n${entry.spot.label}, ${moment(entry)}\n\n${entry.story}`),
  ].join('\n')

/** Pictures and films are not really there: one grey point, and an empty film. */
const still = Buffer.from('R0lGODlhAQABAIAAAICAgAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
const clip = Buffer.from('AAAAFGZ0eXBpc29tAAACAGlzb20=', 'base64')

const originals = (entries: readonly Entry[]): ZipFile[] =>
  entries
    .flatMap(({ media }) => media)
    .map((address, index) => ({
      name: `originals/${String(index + 1).padStart(4, '0')}-${new URL(address).pathname.split('/').pop() ?? ''}`,
      bytes: isClip(address) ? clip : still,
    }))

function render(db: DatabaseSync, journey: Journey, entries: readonly Entry[], format: string): string {
  if (format === 'gpx') return gpx(journey, entries)
  if (format === 'md') return markdown(journey, entries)
  return JSON.stringify({ journey: journeyFull(db, journey), entries: entries.map(entryFull) }, null, 1)
}

const types: Record<string, string> = { json: 'application/json', gpx: 'application/gpx+xml', md: 'text/markdown' }

/** What the link leads to: the document, or a zip of it with the originals. */
export function takeAway({ db, params, now }: AppRequest): Reply {
  const row = one(db, 'SELECT * FROM archives WHERE key = ?', params['key'] ?? '')
  const journey = row && findJourney(db, number(row, 'journey'))
  if (!row || !journey) throw new Refusal(404, 'ARCHIVE_NOT_FOUND', 'There is nothing to take away here.')
  if (number(row, 'good_until') <= now) throw new Refusal(410, 'ARCHIVE_EXPIRED', 'This link was good for an hour.')
  const format = text(row, 'format')
  const entries = listEntries(db, journey.id)
  const document = render(db, journey, entries, format)
  const packed = number(row, 'media') === 1
  const name = `journey-${journey.id}.${format}`
  return {
    status: 200,
    headers: {
      'content-type': packed ? 'application/zip' : `${types[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="${packed ? `${name}.zip` : name}"`,
      'cache-control': 'no-store',
    },
    body: packed ? zip([{ name, bytes: Buffer.from(document) }, ...originals(entries)]) : document,
  }
}
