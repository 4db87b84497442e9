import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, defaulted, id, limit, nextCursor, oneOf } from '../kit/inputs.ts'
import { connection, operation, result } from '../kit/graphql.ts'
import { fields, rows } from '../kit/wire.ts'
import { client as knownClient, project as thisProject } from './previews.ts'
import { form, formOf, invoice, invoiceOf, project, projectOf } from './shapes.ts'
import { ProjectId, category, midnight, named } from './shared.ts'

const StatusName = labelled(
  'Status',
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "One of the account's own statuses, by its exact name, as list_projects shows them.",
  }),
)

export const list_projects = endpoint({
  summary: 'List leads and booked jobs with their client, status and date, newest first.',
  aliases: [
    'my leads',
    'booked jobs',
    'pipeline',
    'which projects are coming up',
    'new inquiries',
    'all shoots',
    'which weddings are booked',
    'what inquiries came in',
    'how many leads do I have',
    'what jobs are ahead',
  ],
  label: 'List projects',
  brief: ['category', 'status', 'created_since'],
  access: 'read',
  request: 'POST /graphql',
  before: '/boot.json',
  input: {
    category: defaulted(
      labelled('Leads or jobs', oneOf(['lead', 'job', 'all'], 'Only leads, or only booked jobs; all for both.')),
      'all',
    ),
    status: Type.Optional(StatusName),
    created_since: Type.Optional(labelled('Created since', day('Only projects created on this day (UTC) or later.'))),
    limit: limit(25),
    cursor,
  },
  output: {
    projects: Type.Array(closed(project), { description: 'Newest first; empty when none fits what you asked for.' }),
    next_cursor: nextCursor,
  },
  encode: ({ created_since, status, ...input }, { anchor, before }) =>
    operation('EngagementFeed', {
      track: input.category === 'all' ? undefined : category.encode(input.category),
      stageId: status === undefined ? undefined : named(before, 'stages', status),
      openedFrom: created_since === undefined ? undefined : midnight(created_since),
      first: input.limit,
      after: anchor,
    }),
  decode: (answer, { cursor: next }) => {
    const { items, next: place } = connection(result(answer, 'engagements'))
    return { projects: items.map(projectOf), next_cursor: next(place) }
  },
})

export const get_project = endpoint({
  summary: 'Read one project with its notes, forms and invoices.',
  aliases: [
    'details of a job',
    'notes of a project',
    'everything about the wedding of a couple',
    'open the lead',
    'tell me everything about that wedding',
    'remind me what the couple wants',
  ],
  label: 'Read a project',
  brief: ['project_id'],
  access: 'read',
  request: 'POST /graphql',
  input: { project_id: ProjectId },
  output: {
    ...project,
    notes: Type.String({ description: 'Private notes, which the client never sees; may be empty.' }),
    forms: Type.Array(closed(form), { description: 'All forms of the project, oldest first, unsent ones too.' }),
    invoices: Type.Array(closed(invoice), {
      description: 'Empty, too, when your permission level does not show money.',
    }),
  },
  encode: ({ project_id }) => operation('EngagementSheet', { id: project_id }),
  decode: (answer) => {
    const sheet = result(answer, 'engagement')
    return {
      ...projectOf(sheet),
      notes: sheet['memo'],
      forms: rows(sheet['papers']).map(formOf),
      // Null when the user may not see money.
      invoices: sheet['bills'] === null ? [] : rows(sheet['bills']).map(invoiceOf),
    }
  },
})

export const create_project = endpoint({
  summary: 'Create a project for a client that you have or for a new one; sends nothing to anybody.',
  aliases: [
    'add a lead',
    'new inquiry',
    'new job for a client',
    'add client',
    'start a project',
    'book a new job',
    'somebody called about a wedding, put it in',
    'a couple asked for a shoot, add them',
  ],
  label: 'Create a project',
  brief: ['title', 'client', 'client_id', 'category'],
  approval: {
    headline: 'Create the project {title}[ for {client_id}][ for {client.name}][ on {project_date}][ as a {category}]',
    button: 'Create project',
    consequences: [
      { kind: 'other', text: '[{client.name} is added to your clients]' },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_projects' }],
  preview: [knownClient],
  verify: {
    read: 'list_projects',
    set: { limit: 100 },
    at: 'projects',
    id: 'project_id',
    same: { title: 'title', 'client.client_id': 'client_id', 'client.email': 'client.email' },
    since: 'created_at',
  },
  access: 'write',
  request: 'POST /graphql',
  before: '/boot.json',
  input: {
    title: labelled('Title', Type.String({ minLength: 1, maxLength: 200, description: 'What the project is called.' })),
    client_id: Type.Optional(
      labelled(
        'Client',
        id('client', 'A client that you have: client_id from list_clients. Give this or client, not both.'),
      ),
    ),
    client: Type.Optional(
      labelled(
        'New client',
        Type.Object(
          {
            name: labelled(
              'Name',
              Type.String({ minLength: 1, maxLength: 120, description: 'The full name of the new client.' }),
            ),
            email: Type.Optional(
              labelled(
                'Email',
                Type.String({ minLength: 3, maxLength: 254, description: 'Where forms and invoices will be mailed.' }),
              ),
            ),
            phone: Type.Optional(
              labelled(
                'Phone number',
                Type.String({ minLength: 1, maxLength: 40, description: 'A phone number, as you like.' }),
              ),
            ),
          },
          {
            additionalProperties: false,
            description: 'A new client, added along with the project. Or give client_id.',
          },
        ),
      ),
    ),
    category: defaulted(
      labelled('Lead or job', oneOf(category.words, 'Whether it is still a lead or a booked job.')),
      'lead',
    ),
    status: Type.Optional(StatusName),
    tags: Type.Optional(
      labelled(
        'Tags',
        Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 20, description: 'Up to 20 tags.' }),
      ),
    ),
    project_date: Type.Optional(labelled('Date', day('The day of the event or the work.'))),
    notes: Type.Optional(
      labelled('Notes', Type.String({ maxLength: 10_000, description: 'Private notes. The client never sees them.' })),
    ),
  },
  exactlyOne: ['client_id', 'client'],
  output: project,
  encode: ({ client, status, project_date, ...input }, { before }) =>
    operation('OpenEngagement', {
      headline: input.title,
      personId: input.client_id,
      person: client && { fullName: client.name, mail: client.email, mobile: client.phone },
      track: category.encode(input.category),
      stageId: status === undefined ? undefined : named(before, 'stages', status),
      labels: input.tags,
      eventAt: project_date === undefined ? undefined : midnight(project_date),
      memo: input.notes,
    }),
  decode: (answer) => projectOf(fields(result(answer, 'openEngagement')['engagement'])),
})

export const update_project_status = endpoint({
  summary: "Move a project to another of the account's statuses.",
  aliases: [
    'move a lead to booked',
    'change the stage',
    'mark the project as completed',
    'pipeline stage',
    'they are confirmed, mark as booked',
    'the job is done, move it on',
    'put the lead on proposal sent',
  ],
  label: "Change a project's status",
  brief: ['project_id', 'status'],
  approval: {
    headline: 'Change the status of {project_id}[ from {project_id.status}] to {status}',
    button: 'Change status',
    consequences: [{ kind: 'other', text: 'Only your team sees it; nobody is told' }],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_project', from: { project_id: 'project_id' } }],
  preview: [thisProject],
  access: 'write',
  request: 'POST /graphql',
  before: '/boot.json',
  input: { project_id: ProjectId, status: StatusName },
  output: { project_id: project.project_id, status: project.status },
  encode: ({ project_id, status }, { before }) =>
    operation('MoveEngagement', { id: project_id, stageId: named(before, 'stages', status) }),
  decode: (answer) => {
    const { project_id, status } = projectOf(fields(result(answer, 'moveEngagement')['engagement']))
    return { project_id, status }
  },
})
