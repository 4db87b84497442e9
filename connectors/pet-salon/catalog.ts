import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed } from '../inputs.ts'
import { rows } from '../wire.ts'
import { fromPence } from './words.ts'

export const list_services = endpoint({
  summary: "List the salon's services with category, duration and price.",
  access: 'read',
  request: 'GET /cloud/data/svcs',
  input: {
    category: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Only services of this category, letter for letter as services show it; all when left out.',
      }),
    ),
  },
  output: {
    services: Type.Array(
      closed({
        service_id: Type.String(),
        name: Type.String(),
        category: Type.String(),
        duration_minutes: Type.Integer(),
        price: Type.Number({ description: "In the salon's currency." }),
      }),
    ),
  },
  encode: ({ category }) => ({ query: { ctg: category } }),
  decode: ({ rows: services }) => ({
    services: rows(services).map(({ svc, ttl, ctg, mins, pence }) => ({
      service_id: svc,
      name: ttl,
      category: ctg,
      duration_minutes: mins,
      price: fromPence(pence),
    })),
  }),
})

export const list_employees = endpoint({
  summary: 'List the active employees and which services each does.',
  access: 'read',
  request: 'GET /cloud/data/emps',
  input: {},
  output: {
    employees: Type.Array(
      closed({ employee_id: Type.String(), name: Type.String(), services: Type.Array(Type.String()) }),
    ),
  },
  decode: ({ rows: team }) => ({
    employees: rows(team)
      .filter(({ here }) => here === true)
      .map(({ emp, nm, does }) => ({ employee_id: emp, name: nm, services: rows(does).map(({ ttl }) => ttl) })),
  }),
})
