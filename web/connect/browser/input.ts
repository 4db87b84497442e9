import type { Page } from 'playwright-core'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'

const point = { x: Type.Number({ minimum: 0, maximum: 4000 }), y: Type.Number({ minimum: 0, maximum: 8000 }) }
const step = Type.Number({ minimum: -4000, maximum: 4000 })

/** What the user does in the picture. */
const Input = Type.Union([
  Type.Object({ type: Type.Enum(['move', 'down', 'up']), ...point }, { additionalProperties: false }),
  Type.Object({ type: Type.Literal('wheel'), ...point, dx: step, dy: step }, { additionalProperties: false }),
  Type.Object(
    { type: Type.Literal('key'), key: Type.Enum(keys()), shift: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  Type.Object(
    { type: Type.Literal('text'), text: Type.String({ minLength: 1, maxLength: 2000 }) },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Enum(['back', 'reload']) }, { additionalProperties: false }),
])
export type Input = Static<typeof Input>

/** Id of an item that was read from the page (words/items.ts). */
const id = Type.String({ pattern: '^[0-9]{1,6}-[0-9]{1,12}$' })

/** What the user does in the text view of the page. */
const WordsInput = Type.Union([
  Type.Object({ type: Type.Enum(['press', 'choose']), id }, { additionalProperties: false }),
  Type.Object(
    { type: Type.Literal('fill'), id, text: Type.String({ maxLength: 2000 }) },
    { additionalProperties: false },
  ),
])
export type WordsInput = Static<typeof WordsInput>

/** Turns the text view on or off. */
const Listen = Type.Object({ type: Type.Literal('listen'), on: Type.Boolean() }, { additionalProperties: false })

/** The user allows a host. */
const Allow = Type.Object(
  { type: Type.Literal('allow'), host: Type.String({ minLength: 1, maxLength: 300 }) },
  { additionalProperties: false },
)

/** Decides on a recording: stop it, discard it, or keep it with these literals (indexes). */
const Recording = Type.Union([
  Type.Object({ type: Type.Enum(['stop', 'discard']) }, { additionalProperties: false }),
  Type.Object(
    {
      type: Type.Literal('keep'),
      released: Type.Array(Type.Integer({ minimum: 0, maximum: 1000 }), { maxItems: 1000 }),
    },
    { additionalProperties: false },
  ),
])
export type RecordingWord = Static<typeof Recording>

const Message = Type.Union([Input, WordsInput, Listen, Allow, Recording])
type Message = Static<typeof Message>
const validator = Compile(Message)

/** Named keys; typed text arrives as `text`. */
function keys() {
  return [
    'Enter',
    'Tab',
    'Escape',
    'Backspace',
    'Delete',
    'Home',
    'End',
    'PageUp',
    'PageDown',
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Space',
  ] as const
}

/** Undefined for invalid input. Never log it: it may be a keystroke of a password. */
export function readInput(message: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(message)
    return validator.Check(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export async function applyInput(page: Page, input: Input): Promise<void> {
  switch (input.type) {
    case 'move':
      return page.mouse.move(input.x, input.y)
    case 'down':
      await page.mouse.move(input.x, input.y)
      return page.mouse.down()
    case 'up':
      await page.mouse.move(input.x, input.y)
      return page.mouse.up()
    case 'wheel':
      await page.mouse.move(input.x, input.y)
      return page.mouse.wheel(input.dx, input.dy)
    case 'key':
      return page.keyboard.press(input.shift === true ? `Shift+${input.key}` : input.key)
    case 'text':
      return page.keyboard.insertText(input.text)
    case 'back':
      await page.goBack({ waitUntil: 'commit', timeout: 10_000 })
      // The history begins with about:blank: undo going back that far.
      if (page.url() === 'about:blank') await page.goForward({ waitUntil: 'commit', timeout: 10_000 })
      return
    case 'reload':
      return void (await page.reload({ waitUntil: 'commit', timeout: 10_000 }))
  }
}

export function isWordOfRecording(input: Message): input is RecordingWord {
  return input.type === 'stop' || input.type === 'keep' || input.type === 'discard'
}

export function isOfWords(input: Input | WordsInput): input is WordsInput {
  return input.type === 'press' || input.type === 'choose' || input.type === 'fill'
}
