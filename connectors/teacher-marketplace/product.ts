import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, described } from '../kit/inputs.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Cents, Price, Status, Which, askedCents, fromDollars, reference, shelf } from './shared.ts'

export const Product = {
  ...Which,
  description: labelled(
    'Description',
    Type.String({ description: 'What is in it, as plain text. Empty when there is none.' }),
  ),
  price_cents: Price,
  additional_license_price_cents: labelled(
    'Further license price',
    described(Cents, 'What each further license costs in US cents, at most price_cents.'),
  ),
  grades: labelled(
    'Grades',
    Type.Array(Type.String(), {
      description: "The marketplace's grades that it is for, such as 3rd; empty when none is set.",
    }),
  ),
  subjects: labelled(
    'Subjects',
    Type.Array(Type.String(), {
      description: "The marketplace's subjects that it is about, such as Math; empty when none is set.",
    }),
  ),
  tags: labelled(
    'Tags',
    Type.Array(Type.String(), { description: 'Your own words for it; empty when there are none.' }),
  ),
  formats: labelled(
    'Formats',
    Type.Array(Type.String(), { description: 'The kinds of file that buyers get, such as PDF.' }),
  ),
  status: Status,
  files: Type.Array(
    closed({
      file_name: Type.String({ description: "The file's name with its ending." }),
      size_kb: Type.Integer({ description: "The file's size in kilobytes." }),
      revision: Type.Integer({ description: '1 until the file is replaced.' }),
    }),
    { description: 'One file; none for a bundle.' },
  ),
}

export function product(value: unknown) {
  const good = fields(value)
  return {
    product_id: reference(good['no']),
    title: good['name'],
    description: good['about'],
    price_cents: fromDollars(good['cost']),
    additional_license_price_cents: fromDollars(good['more_cost']),
    grades: good['levels'],
    subjects: good['topics'],
    tags: good['labels'],
    formats: good['made_as'],
    status: shelf.decode(good['shelf']),
    files: rows(good['parts']).map(({ file, kb, revision }) => ({ file_name: file, size_kb: kb, revision })),
  }
}

export const title = labelled(
  'Title',
  Type.String({ minLength: 1, maxLength: 120, description: 'What buyers see first; one line.' }),
)
export const priceCents = labelled(
  'Price',
  askedCents('The price of the first license in US cents: 0 for a free product, else 95 to 100000.'),
)

/** Fields that both create and update take. */
export const details = {
  description: Type.Optional(
    labelled(
      'Description',
      Type.String({ maxLength: 10_000, description: 'What is in it, as plain text. Empty for none.' }),
    ),
  ),
  additional_license_price_cents: Type.Optional(
    labelled(
      'Further license price',
      askedCents(
        'The price of each further license in US cents, not above price_cents: 0, or 95 to 100000. When left out: that of the first for a new product, unchanged for another.',
      ),
    ),
  ),
  grades: Type.Optional(
    labelled(
      'Grades',
      upTo(
        6,
        "At most 6 of the marketplace's grades, such as PreK, Kindergarten, 3rd, 12th, Higher Education or Not Grade Specific; an unknown one is refused with those that there are.",
      ),
    ),
  ),
  subjects: Type.Optional(
    labelled(
      'Subjects',
      upTo(
        3,
        "At most 3 of the marketplace's subjects, such as Math, Phonics, Science or Spanish; an unknown one is refused with those that there are.",
      ),
    ),
  ),
  tags: Type.Optional(labelled('Tags', upTo(8, 'At most 8 words of your own, each one line of 1 to 40 characters.'))),
}

function upTo(maxItems: number, description: string) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems, uniqueItems: true, description })
}

interface Lists {
  readonly grades?: readonly string[]
  readonly subjects?: readonly string[]
}

/** Grades and subjects in the marketplace's spelling, from its own lists. */
export function chosen({ grades, subjects }: Lists, lists: Fields) {
  return { levels: among(grades, lists['levels'], 'grades'), topics: among(subjects, lists['topics'], 'subjects') }
}

function among(wanted: readonly string[] | undefined, known: unknown, what: string): string[] | undefined {
  if (!Array.isArray(known)) throw new UnknownShape('no list of what there is')
  const names = known.map(text)
  return wanted?.map((name) => {
    const found = names.find((one) => one.toLowerCase() === name.toLowerCase())
    if (found === undefined)
      throw new InputRejected(
        'CHOICE_UNKNOWN',
        `There is no ${name} among the ${what}. There are: ${names.join(', ')}.`,
      )
    return found
  })
}
