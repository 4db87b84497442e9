import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { id, kindKey, oneOf, refTo } from '../kit/inputs.ts'

export const JobId = labelled(
  'Job',
  Type.String({
    format: 'uuid',
    description: 'Which job: job_id from list_jobs or get_schedule, a UUID.',
    [kindKey]: 'job',
  }),
)
export const ClientId = labelled('Client', id('client', 'Which client: client_id from list_clients or of a job.'))
export const TechId = labelled('Team member', id('tech', 'A tech_id of the team, from get_schedule.'))

/** Output: ids of jobs, clients and team members. */
export const JobRef = Type.String({
  format: 'uuid',
  description: 'The UUID of the job; get_job and other endpoints take it as job_id.',
  [kindKey]: 'job',
})
export const ClientRef = {
  client_id: refTo('client', 'The UUID of the client: pass it to create_job or create_estimate.'),
  name: labelled('Client', Type.String({ description: 'The full name of the client, a person or a company.' })),
}
export const TechRef = {
  tech_id: refTo('tech', 'The UUID of the team member: pass it to list_jobs, get_schedule, create_job or assign_job.'),
  name: labelled('Team member', Type.String({ description: 'The full name of the team member.' })),
}
export const JobType = labelled(
  'Job type',
  Type.String({
    description: "The company's own name of the kind of work; create_job takes it as job_type.",
  }),
)

export const Day = Type.String({ format: 'date' })

/** Whole seconds since 1970, as the app takes them. NaN if invalid: the app refuses it. */
export function toEpoch(moment: string): number {
  return Math.floor(Date.parse(moment) / 1000)
}

export const vias = codec({ email: 'mail', text: 'text' })
export const Via = oneOf(vias.words, 'How it was sent: as an email or as a text message.')
export const SentTo = Type.String({ description: "The client's email address or phone number that it was sent to." })
export const SendVia = Type.Optional(
  labelled(
    'Sent by',
    oneOf(vias.words, 'How it reaches the client. Left out: by email if they have an address, else by text message.'),
  ),
)
