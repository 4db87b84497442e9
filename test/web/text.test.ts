import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Text, hasMarks } from '../../web/parts/text.tsx'
import { placesOfUnseen } from '../../schemas/unseen.ts'

const cyrillic = 'Cyrillic letters that look like Latin ones'
const deceiving: readonly (readonly [what: string, text: string, says: string])[] = [
  ['beside another Cyrillic letter', 'Pay it to раура today ж and thank you', cyrillic],
  ['beside a Cyrillic word', 'Привет! Pay at раура now, or call us', cyrillic],
  ['as a host in a Cyrillic text', 'Оплатите на раура.com до пятницы', cyrillic],
  ['Lisu', 'Call ꓐꓳꓐ at noon', 'Lisu letters that look like Latin ones'],
  ['Cherokee', 'Write to ᎪᎬᏚ', 'Cherokee letters'],
  ['Armenian', 'the սօ company', 'Armenian letters that look like Latin ones'],
  ['Armenian within a Latin word', 'gօօgle', 'mixes Latin and Armenian letters'],
  ['Bengali digits within a Latin word', 'g০০gle', 'mixes Latin and Bengali letters'],
  ['small capitals', 'from ᴘᴀʏᴘᴀʟ', 'not the plain letters it looks like'],
  ['IPA', 'your ɡooɡle account, or ɑpple', 'not the plain letters it looks like'],
  ['mathematical letters', '𝐩aypal', 'not the plain letters it looks like'],
  ['a slash that is none', 'https://google.com⁄evil.com', 'U+2044 not the / it looks like'],
  ['a slash that is none, without a scheme', 'see google.com∕login.evil.com', 'U+2215 not the / it looks like'],
  ['a host with other letters', 'https://аррӏе.com/login', 'leads to xn--'],
  ['a bare host with other letters', 'see bücher.de', 'leads to xn--bcher-kva.de'],
  ['a host behind an @', 'https://google.com@evil.com/', 'leads to evil.com'],
  ['struck through', 'Do n\u0336o\u0336t\u0336 pay', 'struck through or drawn over'],
  ['drawn over', 'pay 5\u20d2 now', 'struck through or drawn over'],
  ['stacked accents', `a${'\u0301'.repeat(60)}b`, 'more marks on a letter than any language writes'],
]

test.each(deceiving)('%s is marked', (_, text, says) => {
  expect(renderToString(Text({ value: text }))).toContain(says)
  expect(hasMarks({ text })).toBe(true)
})

const honest = [
  'Быстрая коричневая лиса: оса и роса, это река. Он и она, а у нас — сор.',
  'Я купил iPhone 15 Pro с доставкой в Apple Store, спасибо!',
  'He said «оса и роса, это наша река» to me.',
  'Україна: м’ята, їжак. България, Србија, Қазақстан, Монгол',
  'Η ΑΝΝΑ είναι εδώ, το νερό και ο ουρανός',
  'Երեւանը Հայաստանի մայրաքաղաքն է',
  '使用GitHub登录，时间：10点。東京タワーはどこですか？ WiFiあり Café東京',
  '서울에서 만나요, OK라고 말했다',
  'مرحبا بالعالم، كيف حالك؟ هاتف iPhone جديد',
  'שָׁלוֹם עוֹלָם, כן או לא?',
  'नमस्ते दुनिया, आप कैसे हैं? বাংলা ২০২৬ தமிழ் ภาษาไทย ที่นี่',
  'Tiếng Việt: Nguyễn Phương ở Hà Nội, ưu tiên',
  'Łódź, Ærøskøbing, smörgåsbord, Þingvellir, ılık, İstanbul, œuvre, Straße, ħobż, đường, Kŕč',
  'Ngũgĩ wa Thiong’o, Ọjọ́, Ɛdeɛn, Hausa ƙasa, Azərbaycan',
  'A–B — “quoted” ‘it’ … 1⁄2 m² 20 °C 3 × 4 → 5 · €120 №5 10:30',
  '👨‍👩‍👧 ✅ 🇩🇪 1️⃣ ❤️ 👍🏽',
  'Visit https://example.com/a?b=c#d or mail ann@example.com, see example.org.',
  'Tiếng Việt'.normalize('NFD'),
]

test.each(honest)('%s is not marked', (text) => {
  expect(renderToString(Text({ value: text }))).not.toMatch(/<mark|class="char"/)
  expect(hasMarks(text)).toBe(false)
})

test('nothing of a text is lost or told twice beside its marks', () => {
  for (const [, text] of deceiving) {
    const plain = renderToString(Text({ value: text })).replaceAll(/<span class="char"[^>]*>[^<]*<\/span>/g, '')
    const shown = plain.replaceAll(/<[^>]*>/g, '')
    expect([text, text.replace(/[\u2044\u2215]/u, '')]).toContain(shown)
  }
})

test('a long text of signs and words that may deceive is read in no time', () => {
  // The processor's time, not the clock's: the machine may be busy with other things.
  const began = process.cpuUsage()
  for (const piece of ['google.com⁄', 'аbc ', 'оса ', 'a\u0301', 'ä.', 'https:/ä'])
    expect(hasMarks({ text: piece.repeat(20_000), more: `${'x.'.repeat(20_000)}ä` })).toBeTypeOf('boolean')
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000)
})

test('programs are told where characters are that nobody sees', () => {
  const value = { name: 'ok', 'a/b': [{ text: 'x\u{e0041}' }, 'a\u00a0b\n'], 'na\u200bme': 1, family: '👨‍👩‍👧' }
  expect(placesOfUnseen(value, 10)).toEqual(['/a~1b/0/text', '/na\ufffdme'])
  expect(placesOfUnseen(value, 1)).toEqual(['/a~1b/0/text'])
})
