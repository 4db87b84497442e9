import { expect, test } from 'vitest'
import { apps } from '../../sandbox/apps.ts'
import { tables } from './tables/index.ts'
import { checkLists } from './tables/lists.ts'

test('every app has a table', () => expect(tables.map(({ app }) => app.slug)).toEqual(apps.map(({ slug }) => slug)))

for (const table of tables.filter((_, at) => at % 2 === 0)) checkLists(table)
