import { listOf, object, schemaRef, text, described } from './parts.ts'
import type { Json } from './parts.ts'

const byName = (values: Json, description: string): Json =>
  described({ type: 'object', additionalProperties: values }, description)

/** Of an endpoint, beside what it takes and answers. */
export const endpointDeclarations: Json = {
  'x-callgate-label': described(text, 'What a person reads of it, as on a button.'),
  'x-callgate-brief': described(listOf(text), 'The inputs that say most of a call, the most telling first.'),
  'x-callgate-effect': {
    type: 'string',
    enum: ['adds', 'changes', 'removes'],
    description: 'Of a write: what it does to what the account has. What was there before a change is gone.',
  },
  'x-callgate-shown-by': described(
    listOf(schemaRef('ShownBy')),
    'Of a write: the reads that show afterwards whether it happened, the surest first.',
  ),
}

/** Of an app. */
export const appDeclarations: Json = {
  'x-callgate-things': byName(
    schemaRef('Thing'),
    'What the ids of the app stand for, by their `x-callgate-kind` in the schemas.',
  ),
}

/** Components: what the declarations consist of. */
export const declarationSchemas: Json = {
  ShownBy: object(
    {
      read: described(text, 'An endpoint of the app.'),
      from: byName(text, 'Its inputs that are taken from the write: read’s input → write’s input.'),
      set: byName({}, 'Its inputs that are the same each time.'),
    },
    ['from', 'set'],
  ),
  Thing: object({
    label: described(text, 'A noun, as in "the client".'),
    told_by: described(
      listOf(
        object(
          {
            read: described(text, 'An endpoint of the app.'),
            by: described(text, 'Its input that takes the id; absent for a list.'),
            at: described(
              text,
              'The field of its output with the thing, or with a list of them, also within lists, as in sections.lessons; absent: the whole output.',
            ),
            id: described(text, 'The field of the thing with its id.'),
          },
          ['by', 'at'],
        ),
      ),
      'The reads that tell about such a thing, that of a single one first.',
    ),
    title: described(listOf(text), 'The fields that a person knows it by: the first that says something is its name.'),
    facts: described(listOf(text), 'Further fields that help to recognise it, the most telling first.'),
  }),
}
