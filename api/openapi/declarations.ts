import { listOf, object, schemaRef, text, described } from './parts.ts'
import type { Json } from './parts.ts'

const byName = (values: Json, description: string): Json =>
  described({ type: 'object', additionalProperties: values }, description)

/** Of an endpoint, besides its input and output. */
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
  'x-callgate-preview': described(
    listOf(schemaRef('Preview')),
    'Of a write: what is looked up in the app before the person is asked, and shown to them.',
  ),
  'x-callgate-verify': described(
    schemaRef('Verify'),
    'Of a write: how to look whether it happened, where its answer was lost. Only what is found counts.',
  ),
}

/** Of an app. */
export const appDeclarations: Json = {
  'x-callgate-things': byName(
    schemaRef('Thing'),
    'What the ids of the app stand for, by their `x-callgate-kind` in the schemas.',
  ),
}

/** Components: the parts of the declarations. */
export const declarationSchemas: Json = {
  ShownBy: object(
    {
      read: described(text, 'An endpoint of the app.'),
      from: byName(text, 'Its inputs that are taken from the write: read’s input → write’s input.'),
      set: byName({}, 'Its inputs that are the same each time.'),
    },
    ['from', 'set'],
  ),
  Preview: object(
    {
      of: described(text, 'The input that has the id of the thing, or a list of them.'),
      read: described(text, 'The endpoint that tells about it.'),
      by: described(text, 'Its input that takes the id; absent: the thing is looked for in a list.'),
      from: byName(text, 'Its inputs that are taken from the write: read’s input → write’s input.'),
      set: byName({}, 'Its inputs that are the same each time.'),
      at: described(text, 'The output field with such things; absent: the whole output is one.'),
      id: described(text, 'The field of such a thing with its id.'),
      shows: described(listOf(text), 'Its fields that the page shows, the most telling first.'),
      matters: described(listOf(text), 'Where one of these has changed before the sending, the person is asked again.'),
      conclusive: described(
        { const: true },
        'If the read says that there is no such thing, the call ends `app_rejected`.',
      ),
      goesOnTo: described(
        listOf(schemaRef('ChainedPreview')),
        'What such a thing names, looked up in turn; `of` is its field with the id.',
      ),
      needs: byName(listOf({}), 'Values that a field must have; with others the call ends `app_rejected`.'),
      rules: described(listOf(schemaRef('PreviewRule')), 'What else must be so, else the call ends `app_rejected`.'),
    },
    ['by', 'from', 'set', 'at', 'id', 'conclusive', 'needs', 'rules', 'goesOnTo'],
  ),
  PreviewRule: object(
    {
      field: described(text, 'The field of such a thing.'),
      in: described(listOf({}), 'The values that it may have.'),
      not: described(listOf({}), 'The values that it must not have.'),
      is: described(text, 'The input of the write whose value it must have.'),
      isNot: described(text, 'The input of the write whose value it must not have yet.'),
      where: described(text, 'Only where this input of the write says something.'),
    },
    ['in', 'not', 'is', 'isNot', 'where'],
  ),
  ChainedPreview: object(
    {
      of: described(text, 'The field of the thing before it that has the id.'),
      read: described(text, 'The endpoint that tells about it.'),
      by: described(text, 'Its input that takes the id.'),
      set: byName({}, 'Its inputs that are the same each time.'),
      at: described(text, 'The output field with such things; absent: the whole output is one.'),
      shows: described(listOf(text), 'Its fields that the page shows, the most telling first.'),
      matters: described(listOf(text), 'Where one of these has changed before the sending, the person is asked again.'),
    },
    ['set', 'at'],
  ),
  Verify: object(
    {
      read: described(text, 'The endpoint that shows it.'),
      from: byName(text, 'Its inputs that are taken from the write: read’s input → write’s input.'),
      set: byName({}, 'Its inputs that are the same each time.'),
      at: described(text, 'The output field with such things as the write leaves; absent: the whole output is one.'),
      id: described(text, 'The field of such a thing with its own id; absent: the app tells none there.'),
      same: byName(text, 'What such a thing has from the write: its field → write’s input.'),
      is: byName(listOf({}), 'Values that its fields must have besides.'),
      since: described(text, 'The field that says when the write happened to it.'),
      proof: described(
        object({
          words: described(text, 'The input with the call’s own words.'),
          before: byName(listOf({}), 'Values of what a preview shows, while it had not happened.'),
          output: byName(text, 'The write’s output, as the thing tells it: output’s field → its field.'),
        }),
        'Where what is found is surely of the very call that looks: then it ends as executed. Absent: it decides nothing.',
      ),
    },
    ['from', 'set', 'at', 'id', 'is', 'since', 'proof'],
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
