import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, refTo } from '../kit/inputs.ts'
import { flag, rows } from '../kit/wire.ts'
import { fromPence, salonMoney } from './shared.ts'

export const list_services = endpoint({
  summary: "List the salon's services with category, duration and price.",
  aliases: ['what grooming services do we offer', 'price of a bath', 'price list', 'how long does a trim take'],
  label: 'List services',
  brief: ['category'],
  access: 'read',
  request: 'GET /cloud/data/svcs',
  input: {
    category: labelled(
      'Category',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Only services of this category, letter for letter as services show it; all when left out.',
        }),
      ),
    ),
  },
  output: {
    services: Type.Array(
      closed({
        service_id: refTo('service', 'Pass it to book_appointment in service_ids, or to update_appointment.'),
        name: Type.String({ description: 'What the salon calls the service.' }),
        category: labelled(
          'Category',
          Type.String({ description: 'As the salon named it; pass it to list_services as category.' }),
        ),
        duration_minutes: labelled(
          'Duration in minutes',
          Type.Integer({ description: 'How long it takes; services booked together add up.' }),
        ),
        price: labelled('Price', money(salonMoney, Type.Number({ description: "In the salon's currency." }))),
      }),
      { description: 'In the order of the price list.' },
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
  aliases: ['groomers', 'who works here', 'team', 'staff and what services they do'],
  label: 'List employees',
  brief: [],
  access: 'read',
  request: 'GET /cloud/data/emps',
  input: {},
  output: {
    employees: Type.Array(
      closed({
        employee_id: refTo(
          'employee',
          'Pass it to list_appointments, book_appointment, update_appointment or run_report.',
        ),
        name: Type.String({ description: "The employee's full name." }),
        services: Type.Array(Type.String(), { description: 'The names, not ids, of the services that they do.' }),
      }),
      { description: 'Who works at the salon now; who has left is not in it.' },
    ),
  },
  decode: ({ rows: team }) => ({
    employees: rows(team)
      .filter(({ here }) => flag(here))
      .map(({ emp, nm, does }) => ({ employee_id: emp, name: nm, services: rows(does).map(({ ttl }) => ttl) })),
  }),
})
