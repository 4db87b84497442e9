import { expect, test } from 'vitest'
import { apps } from '../../sandbox/apps.ts'
import { faultCases } from './fault-rows.ts'
import { meetsFaults } from './fault-table.ts'

test('every app meets the faults', () =>
  expect(faultCases.map(({ slug }) => slug).toSorted()).toEqual(apps.map(({ slug }) => slug).toSorted()))

for (const each of faultCases.filter((_, at) => at % 2 === 0)) meetsFaults(each)
