import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, oneOf } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { fromDotted } from './figures.ts'
import { estimatedOpportunity } from './previews.ts'
import {
  CustomerName,
  OpportunityNumber,
  OpportunityRef,
  PageNumber,
  ServiceType,
  Stage,
  data,
  formToken,
  ledToOrder,
  page,
  pageQuery,
  ref,
  stages,
} from './shared.ts'

export const list_opportunities = endpoint({
  summary: 'List opportunities of one stage, and whether their estimate was sent, 30 a page, oldest first.',
  aliases: [
    'open opportunities',
    'sales pipeline',
    'deals',
    'estimates not yet sent',
    'potential work',
    'prospects by stage',
    'what might we win',
    'which deals wait for a quote',
  ],
  label: 'List opportunities',
  brief: ['stage'],
  access: 'read',
  request: 'GET /app/ajax/leads',
  input: { stage: labelled('Stage', defaulted(oneOf(stages.words, 'Only opportunities in this stage.'), 'new')), page },
  output: {
    opportunities: Type.Array(
      closed({
        job_number: OpportunityRef,
        service_type: ServiceType,
        customer: CustomerName,
        stage: Stage,
        estimate_sent: Type.Boolean({
          description: 'Whether its estimate was emailed to the customer, once at least.',
        }),
        created_on: Type.String({
          format: 'date',
          description: "The day on which it was created, on the firm's clocks.",
        }),
      }),
      { description: 'The opportunities on this page, oldest first; empty on a page behind the last.' },
    ),
    page: PageNumber,
  },
  encode: (input) => ({ query: { Stage: stages.encode(input.stage), ...pageQuery(input.page) } }),
  decode: (answer) => ({
    opportunities: rows(data(answer)['Rows']).map((lead) => ({
      job_number: ref(lead['OrderNo']),
      service_type: lead['Service'],
      customer: lead['ClientTitle'],
      stage: stages.decode(lead['Stage']),
      estimate_sent: lead['QuoteMailed'],
      created_on: fromDotted(lead['Opened']),
    })),
    page: data(answer)['Page'],
  }),
})

export const send_estimate = endpoint({
  summary: "Email an opportunity's estimate to its customer; it can be sent again.",
  aliases: [
    'email the estimate',
    'send the quote to a customer',
    'send the estimate again',
    'mail them their quote once more',
  ],
  label: 'Send an estimate',
  brief: ['job_number', 'message'],
  approval: {
    headline:
      'Send the estimate[ of {job_number.total}][ to {job_number.customer}][ for {job_number.service_type}][, saying {message}]',
    button: 'Send estimate',
    consequences: [{ kind: 'people', text: 'The customer gets an e-mail with the estimate' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_opportunities' }],
  preview: [estimatedOpportunity],
  verify: {
    read: 'list_opportunities',
    at: 'opportunities',
    same: { job_number: 'job_number' },
    is: { estimate_sent: [true] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /app/orders/{job_number}/quote',
  input: {
    job_number: OpportunityNumber,
    message: labelled(
      'Message',
      Type.Optional(Type.String({ maxLength: 2000, description: 'A text for the email, above the estimate, as you.' })),
    ),
  },
  output: {
    job_number: OpportunityRef,
    estimate_sent: Type.Literal(true, { description: 'Always true: the estimate was emailed to the customer.' }),
  },
  csrf: formToken,
  answer: 'redirect',
  encode: ({ message }) => ({ form: { Message: message } }),
  decode: (_answer, { location }) => ({ job_number: ledToOrder(location, 'mail').order, estimate_sent: true }),
})
