import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  event: {
    label: 'event',
    toldBy: [{ read: 'list_events', at: 'events', id: 'event_id' }],
    title: ['name'],
    facts: ['start', 'end', 'status'],
  },
  session: {
    label: 'session',
    toldBy: [{ read: 'list_sessions', at: 'sessions', id: 'session_id' }],
    title: ['title'],
    facts: ['start', 'tracks', 'speakers'],
  },
  speaker: {
    label: 'speaker',
    toldBy: [{ read: 'list_speakers', at: 'speakers', id: 'speaker_id' }],
    title: ['name'],
    facts: ['email', 'sessions'],
  },
}
