import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { defaulted, described } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { number, word } from '../kit/wire.ts'
import { unpublishedVideo } from './previews.ts'
import { formTicket } from './proof.ts'
import { NullableMoment, VideoId, VideoRef, ahead, toOffset, utc } from './shared.ts'

export const publish_video = endpoint({
  summary: 'Publish an unpublished video, now or at a set time, and email the members about it if you want.',
  aliases: [
    'make a video live',
    'release a film on Friday',
    'go live with a video',
    'schedule a release',
    'publish for members',
    'let members see it now',
    'it should come out on Monday',
  ],
  label: 'Publish a video',
  brief: ['video_id', 'release_at', 'email_members'],
  approval: {
    headline: 'Publish the video[ {video_id}][ on {release_at}]',
    button: 'Publish video',
    consequences: [
      {
        kind: 'people',
        text: 'Members who want to be told get an e-mail once it is published',
        when: { email_members: [true] },
      },
      { kind: 'public', text: 'Viewers can see it[ from {release_at} on]' },
      { kind: 'public', text: 'Until then a Coming Soon page is shown', when: { coming_soon: [true] } },
      { kind: 'other', text: 'Members get no e-mail about it', when: { email_members: [false] } },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_video', from: { video_id: 'video_id' } }],
  preview: [unpublishedVideo],
  verify: {
    read: 'get_video',
    from: { video_id: 'video_id' },
    same: { video_id: 'video_id' },
    is: { status: ['published', 'scheduled'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /studio/clips/{video_id}/air',
  input: {
    video_id: VideoId,
    release_at: Type.Optional(
      ahead(
        'Release at',
        'When it is to be published, in the future: ISO 8601 with an offset or Z. Now when left out.',
      ),
    ),
    coming_soon: defaulted(
      labelled(
        'Coming Soon page',
        Type.Boolean({ description: 'Show a Coming Soon page until release_at; only together with release_at.' }),
      ),
      false,
    ),
    email_members: defaulted(
      labelled(
        'Email to members',
        Type.Boolean({ description: 'Email the members who want to be told, once it is published.' }),
      ),
      false,
    ),
  },
  output: {
    video_id: VideoRef,
    status: Type.Enum(['published', 'scheduled'], {
      type: 'string',
      description: 'published: it is out now. scheduled: it will be at release_at.',
    }),
    release_at: described(NullableMoment, 'When it will be published, in UTC; null where it is already.'),
    emailed_members: Type.Integer({ description: 'How many members are emailed, now or at release_at.' }),
  },
  csrf: formTicket,
  answer: 'redirect',
  encode: ({ release_at, coming_soon, email_members }) => ({
    form: {
      when: release_at === undefined ? 'now' : 'later',
      'goes-out': toOffset(release_at),
      teaser: coming_soon ? 'yes' : undefined,
      'tell-members': email_members ? 'yes' : 'no',
    },
  }),
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, `studio/clips/${encodeURIComponent(input.video_id)}`, { done: true })
    const status = word({ public: 'published', timed: 'scheduled' }, query.get('done'))
    return {
      video_id: input.video_id,
      status,
      release_at: status === 'scheduled' ? utc(query.get('goes-out')) : null,
      emailed_members: number(query.get('mailed')),
    }
  },
})
