import { describe, expect, test } from 'vitest'
import { ledTo } from '../../connectors/kit/location.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'

describe('where an app led', () => {
  test('says what it did, in its path and in its query', () => {
    const { part, query } = ledTo('tours/T7?done=shut&slots=2', /^tours\/(?<tour>T\d+)$/, { done: 'shut', slots: true })
    expect([part['tour'], query.get('slots')]).toEqual(['T7', '2'])
    expect(ledTo('notes?done=sent', 'notes').query.get('done')).toBe('sent')
  })

  test.each([
    ['to another page', 'goods?done=sent'],
    ['further below', 'notes/7?done=sent'],
    ['with another sign', 'notes?done=kept'],
    ['with an empty sign', 'notes?done='],
    ['without its sign', 'notes'],
  ])('%s is an unknown shape', (_where, location) => {
    expect(() => ledTo(location, 'notes', { done: 'sent' })).toThrow(UnknownShape)
    expect(() => ledTo(location.replace('kept', ''), /^notes$/, { done: true })).toThrow(UnknownShape)
  })
})
