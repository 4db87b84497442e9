import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, limit, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { CollectionRef, VideoRef } from './shared.ts'

const words = { videos: 'clips', live_events: 'shows', collections: 'series' } as const
const reports = codec(words)
const Day = Type.String({ format: 'date' })

const Figures = {
  title: Type.String({ description: 'The title that it has now.' }),
  views: Type.Integer({
    description: 'How often it was played on those days; for collections, the videos in them now.',
  }),
  viewers: Type.Integer({ description: 'How many watched it; each counts once a day, and once for each video.' }),
  total_watch_time: Type.String({ description: 'Hours, minutes and seconds: 497:09:26.' }),
  completion_rate: Type.String({ description: 'The share that is watched to the end, in percent: 40.4%.' }),
}

const EventFigures = {
  ...Figures,
  preregistered: Type.Integer({ description: 'How many registered for it in all, whatever the days.' }),
  attendees: Type.Integer({ description: 'Who watched it live.' }),
  replays: Type.Integer({ description: 'Views of the recording.' }),
}

export const get_content_analytics = endpoint({
  summary: 'Report the views of videos, live events or collections over some days, most views first.',
  aliases: [
    'which videos are watched most',
    'views last month',
    'watch statistics',
    'most popular video',
    'viewing numbers',
    'how did the live event do',
    'what do people watch',
    'how many watched the stream',
  ],
  label: 'Show views',
  brief: ['report', 'from', 'to'],
  access: 'read',
  request: 'GET /api/numbers/{report}',
  segments: { report: (report) => word(words, report) },
  input: {
    report: labelled('Report', oneOf(reports.words, 'What the rows are about.')),
    from: labelled('First day', day("The first day, by the studio's clocks.")),
    to: labelled('Last day', day("The last day, by the studio's clocks; it counts too.")),
    limit: limit(),
  },
  output: {
    report: Type.Enum(reports.words, {
      type: 'string',
      description: 'What the rows are about, as you asked.',
    }),
    from: described(Day, "The first day, as you asked, by the studio's clocks."),
    to: described(Day, "The last day, which counts too, by the studio's clocks."),
    totals: Type.Object(
      {
        views: Type.Integer({
          description: 'All views; those of a video in several collections are in the row of each, and here once.',
        }),
        viewers: Type.Integer({
          description:
            'The viewers of each video or event added up, of each video once: who watched several counts several times.',
        }),
      },
      { additionalProperties: false, description: 'Of everything that was viewed, also what limit leaves out.' },
    ),
    rows: Type.Array(
      Type.Union([
        closed({ video_id: VideoRef, ...Figures }),
        closed({
          event_id: refTo('event', 'The live event, as list_live_events names it.'),
          ...EventFigures,
        }),
        closed({ collection_id: CollectionRef, ...Figures }),
      ]),
      { description: 'Most views first. What nobody viewed has no row; offline viewing is not counted.' },
    ),
  },
  encode: ({ from, to, limit: top }) => ({ query: { since: toPointed(from), until: toPointed(to), top } }),
  decode: ({ payload }) => {
    const { report, since, until, sums, rows: lines } = fields(payload)
    const { plays, watchers } = fields(sums)
    return {
      report: reports.decode(report),
      from: fromPointed(since),
      to: fromPointed(until),
      totals: { views: plays, viewers: watchers },
      rows: rows(lines).map(line),
    }
  },
})

/** Each row has the id of its entity, in a field named after the kind of entity. */
function line(row: Fields) {
  const { heading, plays, watchers, 'watched-ms': watched, 'finished-share': finished } = row
  const figures = {
    title: heading,
    views: plays,
    viewers: watchers,
    total_watch_time: duration(number(watched)),
    completion_rate: `${(number(finished) * 100).toFixed(1)}%`,
  }
  if ('clip' in row) return { video_id: row['clip'], ...figures }
  if ('series' in row) return { collection_id: row['series'], ...figures }
  const { show, 'signed-up': preregistered, came: attendees, replays } = row
  return { event_id: show, ...figures, preregistered, attendees, replays }
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number): string => String(value % 60).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}`
}

/** Converts an ISO day into `28.02.2026`. */
function toPointed(value: string): string {
  return value.split('-').reverse().join('.')
}

function fromPointed(value: unknown): string {
  const found = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as DD.MM.YYYY')
  return found.slice(1).toReversed().join('-')
}
