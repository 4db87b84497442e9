import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, described, id, limit, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { connection, operation, result } from '../kit/graphql.ts'
import { fields, rows, text } from '../kit/wire.ts'
import { clientOf, project, template } from './previews.ts'
import { form, formOf, formRow, formRowOf } from './shapes.ts'
import { FormId, FormType, ProjectId, formStatus, formType, instant, kindsOf } from './shared.ts'

const TypeFilter = labelled(
  'Kind',
  oneOf(
    ['proposal', 'contract', 'questionnaire', 'sub_agreement', 'lead_capture', 'all'],
    'Only this type; all for every type.',
  ),
)

export const list_form_templates = endpoint({
  summary: 'List the templates that forms are made from.',
  aliases: ['which contract templates are there', 'questionnaire templates', 'proposal templates'],
  label: 'List form templates',
  brief: ['type'],
  access: 'read',
  request: 'POST /graphql',
  input: { type: defaulted(TypeFilter, 'all') },
  output: {
    templates: Type.Array(
      closed({
        template_id: refTo('template', 'Pass it to apply_form_template, unless its type is lead_capture.'),
        name: labelled(
          'Template',
          Type.String({
            description: "The template's title, which copies get unless apply_form_template names them.",
          }),
        ),
        type: FormType,
      }),
      { description: "The account's own templates; empty when it has none of the type." },
    ),
  },
  encode: ({ type }) => operation('BlueprintShelf', { kinds: kindsOf(type) }),
  decode: (answer) => ({
    templates: rows(fields(answer['data'])['blueprints']).map(({ id: template_id, heading, kind }) => ({
      template_id,
      name: heading,
      type: formType.decode(kind),
    })),
  }),
})

export const list_forms = endpoint({
  summary: 'List proposals, contracts, questionnaires and other forms with their status, newest first.',
  aliases: [
    'has the contract been signed',
    'outstanding questionnaires',
    'proposals sent',
    'status of contracts',
    'unsigned contracts',
    'have they signed yet',
    'which agreements are still open',
  ],
  label: 'List forms',
  brief: ['status', 'type', 'project_id'],
  access: 'read',
  request: 'POST /graphql',
  input: {
    project_id: Type.Optional(
      labelled('Project', id('project', 'Only the forms of this project: project_id from list_projects.')),
    ),
    type: defaulted(TypeFilter, 'all'),
    status: Type.Optional(
      labelled(
        'Status',
        Type.Array(Type.Enum(['sent', 'viewed', 'action_required', 'completed'], { type: 'string' }), {
          minItems: 1,
          maxItems: 4,
          description:
            'Only forms in one of these states: sent, viewed, action_required (a contract waits for your countersignature), completed. Left out: every form, unsent ones too.',
        }),
      ),
    ),
    limit: limit(25),
    cursor,
  },
  output: {
    forms: Type.Array(closed(formRow), { description: 'Newest first; empty when none fits what you asked for.' }),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) =>
    operation('PaperFeed', {
      engagementId: input.project_id,
      kinds: kindsOf(input.type),
      phases: input.status && [...new Set(input.status)].map((status) => formStatus.encode(status)),
      first: input.limit,
      after: anchor,
    }),
  decode: (answer, { cursor: next }) => {
    const { items, next: place } = connection(result(answer, 'papers'))
    return { forms: items.map(formRowOf), next_cursor: next(place) }
  },
})

export const get_form_responses = endpoint({
  summary: 'Read what a client answered in a completed form. Clients can change a questionnaire later.',
  aliases: [
    'what did the client answer in the questionnaire',
    'answers to a form',
    'filled in questionnaire',
    'what did the bride write in the questionnaire',
  ],
  label: 'Read form responses',
  brief: ['form_id'],
  access: 'read',
  request: 'POST /graphql',
  input: {
    form_id: FormId,
    include_empty: defaulted(
      labelled(
        'Unanswered ones too',
        Type.Boolean({ description: 'Whether to include questions that were left without an answer.' }),
      ),
      false,
    ),
  },
  output: {
    form_id: refTo('form', 'The form that you asked for, as in list_forms.'),
    type: FormType,
    name: form.name,
    project_id: formRow.project_id,
    responses: Type.Array(
      closed({
        question: Type.String({ description: 'What the form asks, in its own words.' }),
        answer: Type.String({
          description: 'In the words of the client; several choices stand with commas between, none as an empty text.',
        }),
      }),
      { description: "In the form's order; questions without an answer only with include_empty." },
    ),
  },
  encode: ({ form_id, include_empty }) => operation('PaperReplies', { id: form_id, skipBlank: !include_empty }),
  decode: (answer) => {
    const paper = result(answer, 'paper')
    const { form_id, type, name } = formOf(paper)
    const responses = rows(paper['replies']).map(({ prompt, values }) => ({
      question: prompt,
      answer: Array.isArray(values) ? values.map(text).join(', ') : text(values),
    }))
    return { form_id, type, name, project_id: paper['engagementId'], responses }
  },
})

export const apply_form_template = endpoint({
  summary:
    'Put a copy of a proposal, contract, questionnaire or sub-agreement template into a project; it is not sent.',
  aliases: [
    'add a contract to a project',
    'prepare a proposal',
    'put a questionnaire into the job',
    'draft a contract from a template',
    'get the agreement ready for the couple',
  ],
  label: 'Add a form from a template',
  brief: ['template_id', 'project_id', 'name'],
  approval: {
    headline:
      'Add a copy of[ the {template_id.type}] {template_id} to {project_id}[ as {name}][ for {project_id.client.name}]',
    button: 'Add form',
    consequences: [{ kind: 'other', text: 'It is not sent; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_project', from: { project_id: 'project_id' } }],
  preview: [template, project],
  access: 'write',
  request: 'POST /graphql',
  input: {
    template_id: labelled(
      'Template',
      id('template', 'Which template: template_id from list_form_templates, of any type but lead_capture.'),
    ),
    project_id: ProjectId,
    name: Type.Optional(
      labelled(
        'Name',
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "What the copy is called; the template's name if left out.",
        }),
      ),
    ),
  },
  output: formRow,
  encode: ({ template_id, project_id, name }) =>
    operation('CopyBlueprint', { blueprintId: template_id, engagementId: project_id, heading: name }),
  decode: (answer) => formRowOf(fields(result(answer, 'copyBlueprint')['paper'])),
})

export const send_form = endpoint({
  summary: 'Email an unsent form to the client of its project.',
  aliases: [
    'send the contract for signature',
    'email the questionnaire',
    'send the proposal to the client',
    'ask client to sign',
    'off goes the agreement to the couple',
    'let them sign it',
  ],
  label: 'Send a form',
  brief: ['form_id', 'message'],
  approval: {
    headline:
      'Send {form_id}[ ({form_id.type})][ to {form_id.project_id.client.name}][ for {form_id.project_title}][ with the message {message}]',
    button: 'Send form',
    consequences: [
      {
        kind: 'people',
        text: 'The client gets an e-mail with a link to the form[ at {form_id.project_id.client.email}]',
      },
      { kind: 'irreversible', text: 'A form can be sent only once' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_forms', set: { status: ['sent', 'viewed'] } }],
  preview: [
    {
      of: 'form_id',
      read: 'list_forms',
      set: { type: 'all', limit: 100 },
      at: 'forms',
      id: 'form_id',
      shows: ['name', 'project_title', 'type', 'status'],
      matters: ['name', 'project_title', 'type', 'status'],
      conclusive: true,
      needs: { status: ['unsent'] },
      goesOnTo: [clientOf('project_id')],
    },
  ],
  verify: {
    read: 'list_forms',
    set: { status: ['sent', 'viewed', 'action_required', 'completed'], limit: 100 },
    at: 'forms',
    same: { form_id: 'form_id' },
    is: { status: ['sent', 'viewed', 'action_required', 'completed'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /graphql',
  input: {
    form_id: FormId,
    message: Type.Optional(
      labelled(
        'Message',
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description: 'A text for the email, above the link to the form.',
        }),
      ),
    ),
  },
  output: {
    form_id: form.form_id,
    status: form.status,
    sent_to: Type.String({ description: "The client's email address that it went to." }),
    sent_at: described(moment, 'When the email went out, in UTC.'),
  },
  encode: ({ form_id, message }) => operation('SendPaper', { id: form_id, note: message }),
  decode: (answer) => {
    const { paper, mail } = result(answer, 'sendPaper')
    const { form_id, status } = formOf(fields(paper))
    return { form_id, status, sent_to: fields(mail)['recipient'], sent_at: instant(fields(mail)['at']) }
  },
})
