import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, values } from './app-caller.ts'

let host: AppCaller
beforeAll(async () => {
  host = await AppCaller.open('camping-host')
})
afterAll(() => host.sandbox.close())

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const actions = async () => (await host.control.effects()).map(({ action }) => action)

describe('a conversation', () => {
  beforeEach(() => host.sandbox.reset())

  test('that is answered is read and comes first', async () => {
    const unread = await host.rows('list_messages', 'conversations', { filter: 'unread' })
    const last = unread.at(-1)!
    const { conversation_id } = last
    for (const message of [' שלום <b>&</b> "x"\n🏕️ ', '🏕'.repeat(2000)]) {
      const answer = await host.call('send_message', { conversation_id, message })
      expect(answer).toEqual({ conversation_id, message_id: expect.stringMatching(/^N\d+$/), sent_at: moment })
      const filters = await Promise.all(
        ['pending', 'future', 'past', 'questions'].map((filter) =>
          host.rows('list_messages', 'conversations', { filter }),
        ),
      )
      const first = filters.find((rows) => rows[0]?.['conversation_id'] === conversation_id)?.[0]
      expect(first).toEqual({ ...last, last_message: message, last_message_at: answer['sent_at'], unread: false })
    }
    expect(await host.rows('list_messages', 'conversations', {})).toEqual(unread.slice(0, -1))
    expect(await actions()).toEqual(['chat.reply', 'chat.reply'])
  })

  test('that is named with zeros before its number is told by its own id', async () => {
    const answer = await host.call('send_message', { conversation_id: 'C00100369', message: 'Yes' })
    expect(answer).toMatchObject({ conversation_id: 'C100369' })
    expect(await actions()).toEqual(['chat.reply'])
  })

  test('is refused when it is not there, not yours, or the message is blank', async () => {
    const good = { conversation_id: 'C100369', message: 'Yes' }
    expect(await host.refused('send_message', { ...good, conversation_id: 'C1' })).toBe('CHAT_NOT_FOUND')
    expect(await host.refused('send_message', good, 'stranger')).toBe('CHAT_NOT_FOUND')
    expect(await host.refused('send_message', { ...good, message: ' \n' })).toBe('FIELD_REQUIRED')
    expect(await host.control.effects()).toEqual([])
  })
})

describe('a review', () => {
  beforeEach(() => host.sandbox.reset())

  const review_id = 'R100224'
  const find = async (id: string) =>
    (await host.rows('list_reviews', 'reviews', {})).find((row) => row['review_id'] === id)

  test('takes one public response', async () => {
    const before = await find(review_id)
    const response = ' תודה <b>&</b> 🏕️ '
    const answer = await host.call('respond_to_review', { review_id, response, visibility: 'public' })
    expect(answer).toEqual({ review_id, visibility: 'public', responded_at: moment, conversation_id: null })
    expect(await find(review_id)).toEqual({ ...before, response })
    const again = { review_id, response: 'Again', visibility: 'public' }
    expect(await host.refused('respond_to_review', again)).toBe('ALREADY_REPLIED')
    const open = await host.rows('list_reviews', 'reviews', { responded: false })
    expect(values(open, 'review_id')).not.toContain(review_id)
    expect((await actions()).length).toBe(1)
  })

  test.each(['public', 'private'])(
    'that is named with zeros before its number takes a %s response',
    async (visibility) => {
      const answer = await host.call('respond_to_review', { review_id: 'R00100224', response: 'Thanks', visibility })
      expect(answer).toMatchObject({ review_id, visibility })
    },
  )

  test('takes private responses, which go into the conversation and leave it as it is', async () => {
    const before = await find(review_id)
    const texts = ['One', '🏕'.repeat(2000)]
    for (const response of texts) {
      const answer = await host.call('respond_to_review', { review_id, response, visibility: 'private' })
      expect(answer).toMatchObject({
        review_id,
        visibility: 'private',
        conversation_id: expect.stringMatching(/^C\d+$/),
      })
      expect(await find(review_id)).toEqual(before)
      const [talk] = await host.rows('list_messages', 'conversations', { filter: 'past' })
      expect(talk).toMatchObject({ conversation_id: answer['conversation_id'], last_message: response, unread: false })
    }
    await host.call('respond_to_review', { review_id, response: 'Two', visibility: 'public' })
    await host.call('respond_to_review', { review_id, response: 'Three', visibility: 'private' })
    expect(await find(review_id)).toEqual({ ...before, response: 'Two' })
  })

  test('takes no response when it is not there, not yours, or the response is blank', async () => {
    const good = { review_id, response: 'Thanks', visibility: 'public' }
    expect(await host.refused('respond_to_review', { ...good, review_id: 'R1' })).toBe('REVIEW_NOT_FOUND')
    expect(await host.refused('respond_to_review', good, 'stranger')).toBe('REVIEW_NOT_FOUND')
    expect(await host.refused('respond_to_review', { ...good, response: ' ' })).toBe('FIELD_REQUIRED')
    expect(await host.control.effects()).toEqual([])
  })
})
