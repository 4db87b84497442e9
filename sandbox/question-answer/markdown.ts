import { html, Html } from '../platform/html.ts'

const image = /!\[([^\]]*)\]\(([^)\s]*)[^)]*\)/g
const link = /\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g

/** Where the pictures of a text lie. */
export const imageAddresses = (text: string): string[] => [...text.matchAll(image)].map(([, , address = '']) => address)

const inline = (escaped: string): string =>
  escaped
    .replaceAll(image, '<img alt="$1" src="$2">')
    .replaceAll(link, '<a href="$2" rel="nofollow">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replaceAll(/\*([^*\s][^*]*)\*/g, '<i>$1</i>')
    .replaceAll(/\r?\n/g, '<br>')

/** Paragraphs, pictures, links, bold and italics; all else stands as it was written. */
export function rendered(text: string): Html {
  const paragraphs = text.split(/(?:\r?\n){2,}/).filter((paragraph) => paragraph.trim() !== '')
  return new Html(paragraphs.map((paragraph) => `<p>${inline(html`${paragraph}`.text)}</p>`).join(''))
}

/** The beginning of a text, without its marks and pictures, as HTML; empty where nothing is left. */
export function teaser(text: string): string {
  const plain = text
    .replaceAll(image, ' ')
    .replaceAll(link, '$1')
    .replaceAll(/[*#`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (plain === '') return ''
  const letters = Array.from(plain)
  return html`<p>${letters.length > 180 ? `${letters.slice(0, 180).join('')}…` : plain}</p>`.text
}
