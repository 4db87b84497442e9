import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, oneOf } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { fromDotted } from './figures.ts'
import {
  CustomerName,
  OpportunityNumber,
  OpportunityRef,
  PageNumber,
  ServiceType,
  Stage,
  data,
  formToken,
  ledTo,
  page,
  pageQuery,
  ref,
  stage,
  stages,
} from './words.ts'

export const list_opportunities = endpoint({
  summary: 'List opportunities of one stage, and whether their estimate was sent, 30 a page, oldest first.',
  access: 'read',
  request: 'GET /app/ajax/leads',
  input: { stage: defaulted(oneOf(['new', 'won', 'lost'], 'Only opportunities in this stage.'), 'new'), page },
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
  encode: (input) => ({ query: { Stage: stages[input.stage], ...pageQuery(input.page) } }),
  decode: (answer) => ({
    opportunities: rows(data(answer)['Rows']).map((lead) => ({
      job_number: ref(lead['OrderNo']),
      service_type: lead['Service'],
      customer: lead['ClientTitle'],
      stage: stage(lead['Stage']),
      estimate_sent: lead['QuoteMailed'],
      created_on: fromDotted(lead['Opened']),
    })),
    page: data(answer)['Page'],
  }),
})

export const send_estimate = endpoint({
  summary: "Email an opportunity's estimate to its customer; it can be sent again.",
  access: 'write',
  confirm: true,
  request: 'POST /app/orders/{job_number}/quote',
  input: {
    job_number: OpportunityNumber,
    message: Type.Optional(
      Type.String({ maxLength: 2000, description: 'A text for the email, above the estimate, as you.' }),
    ),
  },
  output: {
    job_number: OpportunityRef,
    estimate_sent: Type.Literal(true, { description: 'Always true: the estimate was emailed to the customer.' }),
  },
  csrf: formToken,
  answer: 'redirect',
  encode: ({ message }) => ({ form: { Message: message } }),
  decode: (_answer, { location }) => ({ job_number: ledTo(location, 'mail').order, estimate_sent: true }),
})
