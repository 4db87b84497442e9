import type { Token, Tokens } from 'marked'
import type { ComponentChildren, JSX } from 'preact'
import { pageOf, placeOf } from './guides.ts'

/** Our own Markdown as elements; HTML in it is shown as text. */
export function Markdown({ tokens }: { readonly tokens: readonly Token[] }): JSX.Element {
  return <>{tokens.map((token, at) => blockOf(token, at))}</>
}

function blockOf(token: Token, at: number): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return headingOf(token as Tokens.Heading, at)
    case 'paragraph':
      return <p key={at}>{inline(token)}</p>
    // Entry of a tight list.
    case 'text':
      return <span key={at}>{inline(token)}</span>
    case 'code':
      return (
        <pre key={at} tabindex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'list':
      return listOf(token as Tokens.List, at)
    case 'table':
      return tableOf(token as Tokens.Table, at)
    case 'blockquote':
      return (
        <blockquote key={at}>
          <Markdown tokens={(token as Tokens.Blockquote).tokens} />
        </blockquote>
      )
    case 'space':
      return null
    default:
      return token.raw.startsWith('<!--') ? null : <p key={at}>{token.raw}</p>
  }
}

/** Skips the first-level heading: the page has a title. */
function headingOf({ depth, text, tokens }: Tokens.Heading, at: number): JSX.Element | null {
  if (depth === 1) return null
  const id = placeOf(text)
  return depth === 2 ? (
    <h2 key={at} id={id}>
      {tokens.map(inlineOf)}
    </h2>
  ) : (
    <h3 key={at} id={id}>
      {tokens.map(inlineOf)}
    </h3>
  )
}

function listOf({ ordered, items }: Tokens.List, at: number): JSX.Element {
  const entries = items.map(({ tokens }, n) => (
    <li key={n}>
      <Markdown tokens={tokens} />
    </li>
  ))
  return ordered ? <ol key={at}>{entries}</ol> : <ul key={at}>{entries}</ul>
}

function tableOf({ header, rows }: Tokens.Table, at: number): JSX.Element {
  return (
    <div key={at} class="table" tabindex={0} role="region" aria-label={header.map(({ text }) => text).join(', ')}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, n) => (
              <th key={n} scope="col">
                {tokens.map(inlineOf)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={n}>
              {row.map(({ tokens }, cell) => (
                <td key={cell}>{tokens.map(inlineOf)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(token: Token): ComponentChildren {
  return 'tokens' in token && token.tokens !== undefined ? token.tokens.map(inlineOf) : textOf(token)
}

function inlineOf(token: Token, at: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={at}>{inline(token)}</strong>
    case 'em':
      return <em key={at}>{inline(token)}</em>
    case 'codespan':
      return <code key={at}>{textOf(token)}</code>
    case 'br':
      return <br key={at} />
    case 'link': {
      const page = pageOf((token as Tokens.Link).href)
      return page === undefined ? (
        inline(token)
      ) : (
        <a key={at} href={page}>
          {inline(token)}
        </a>
      )
    }
    default:
      return inline(token)
  }
}

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw
}
