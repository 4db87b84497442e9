import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import {
  closed,
  cursor,
  defaulted,
  described,
  limit,
  moment,
  nextCursor,
  NullableText,
  oneOf,
  refTo,
} from '../kit/inputs.ts'
import { fields, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { ahead, blurb, listQuery, nextPlace, search, title, toOffset, utc } from './shared.ts'

const methods = codec({ rtmp: 'rtmp-feed', built_in_studio: 'browser-studio', video_meeting: 'meeting' })
const phases = { upcoming: 'upcoming', 'on-air': 'live', over: 'ended' } as const

const LiveEvent = {
  event_id: refTo('event', 'The live event, named alike in get_content_analytics; no endpoint takes it.'),
  title: Type.String({ description: 'What members see as its title.' }),
  start_at: described(moment, 'When it begins or began, in UTC.'),
  method: Type.Enum(methods.words, {
    type: 'string',
    description: 'How it is streamed: from software of your own, in the browser, or as a meeting.',
  }),
  status: Type.Enum(['upcoming', 'live', 'ended'], {
    type: 'string',
    description: 'Where it stands now: before its start, running, or over.',
  }),
  preregistration: Type.Boolean({ description: 'Whether members can register before it begins.' }),
}

function liveEvent(show: Fields) {
  return {
    event_id: show['show'],
    title: show['heading'],
    start_at: utc(show['begins']),
    method: methods.decode(show['via']),
    status: word(phases, show['phase']),
    preregistration: show['sign-up'],
  }
}

export const list_live_events = endpoint({
  summary: 'List your live events, past and to come, the latest start first; stream keys are never in it.',
  aliases: [
    'upcoming live streams',
    'past broadcasts',
    'scheduled livestreams',
    'when is the next live class',
    'when are we live next',
  ],
  label: 'List live events',
  brief: ['search'],
  access: 'read',
  request: 'GET /api/shows',
  input: { search: search('events'), limit: limit(), cursor },
  output: {
    events: Type.Array(closed(LiveEvent), { description: 'This page of live events; empty when none matches.' }),
    next_cursor: nextCursor,
  },
  encode: ({ search: find, limit: size }, { anchor }) => ({ query: listQuery({ find }, { limit: size, anchor }) }),
  decode: (answer, { cursor: next }) => ({
    events: rows(answer['payload']).map(liveEvent),
    next_cursor: next(nextPlace(answer)),
  }),
})

export const create_live_event = endpoint({
  summary: 'Create a live event that members can find; for RTMP the answer has the stream URL and key, this once.',
  aliases: [
    'schedule a livestream',
    'new broadcast',
    'plan a live session',
    'stream key',
    'go live',
    'set up a live stream',
    'we go live on Sunday',
    'plan a stream',
  ],
  label: 'Create a live event',
  brief: ['title', 'start_at', 'method'],
  approval: {
    headline: 'Create the live event {title} on {start_at}',
    button: 'Create live event',
    consequences: [
      { kind: 'public', text: 'Members can find it at once' },
      { kind: 'public', text: 'Members can register before it begins', when: { preregistration: [true] } },
      { kind: 'other', text: 'The agent gets the secret stream key, this once', when: { method: ['rtmp'] } },
      { kind: 'other', text: 'It is streamed in the browser', when: { method: ['built_in_studio'] } },
      { kind: 'other', text: 'It is held as a video meeting', when: { method: ['video_meeting'] } },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_live_events' }],
  preview: [],
  verify: {
    read: 'list_live_events',
    from: { search: 'title' },
    at: 'events',
    id: 'event_id',
    same: { title: 'title', start_at: 'start_at', method: 'method' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /api/shows',
  input: {
    title: title('What members see as its title, on one line.'),
    start_at: ahead('Starts at', 'When it begins, in the future: ISO 8601 with an offset or Z.'),
    method: labelled(
      'Method',
      oneOf(
        methods.words,
        'How it is streamed: rtmp from streaming software of your own, built_in_studio in the browser, video_meeting as a meeting.',
      ),
    ),
    description: Type.Optional(blurb('What members read about it.')),
    preregistration: defaulted(
      labelled('Early registration', Type.Boolean({ description: 'Let members register before it begins.' })),
      false,
    ),
  },
  output: {
    ...LiveEvent,
    stream_url: described(NullableText, 'The RTMP address to stream to; null unless method is rtmp.'),
    stream_key: described(
      NullableText,
      'A secret, given this once only: keep it. null unless method is rtmp, like stream_url.',
    ),
  },
  encode: ({ title: heading, start_at, method, description, preregistration }) => ({
    json: {
      heading,
      begins: toOffset(start_at),
      via: methods.encode(method),
      blurb: description,
      'sign-up': preregistration,
    },
  }),
  decode: ({ payload }) => {
    const show = fields(payload)
    const event = liveEvent(show)
    if (event.method !== 'rtmp') return { ...event, stream_url: null, stream_key: null }
    const { address, secret } = fields(show['ingest'])
    return { ...event, stream_url: text(address), stream_key: text(secret) }
  },
})
