import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** An app of pages that no connector of the project knows: books, with notes that people leave. */
export interface BookStall extends AsyncDisposable {
  readonly host: string
  /** What a browser that signed in sends. */
  readonly session: { readonly cookies: Cookie[]; readonly user_agent: null }
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
}

const books = [
  { id: 'b1', title: 'Dead Souls', author: 'Н. В. Гоголь', tags: ['satire', 'roads'], stars: 4 },
  { id: 'b2', title: 'Tom & Jerry’s "Life"', author: null, tags: ['london'], stars: null },
]

export async function bookStall(): Promise<BookStall> {
  const sid = randomBytes(16).toString('hex')
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const page = (status: number, html: string): void => {
        const csrf = randomBytes(16).toString('hex')
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': `seen=${csrf}; Path=/` })
        response.end(`<!doctype html><title>Stall</title>${html.replaceAll('CSRF', csrf)}`)
      }
      const lead = (to: string): void => void response.writeHead(302, { location: to }).end()
      if (!request.headers.cookie?.includes(`sid=${sid}`)) return lead('/login?next=/')
      if (pathname === '/books') return page(200, listPage(searchParams.get('tag')))
      const [, id = '', rest = ''] = /^\/books\/(\w+)(\/notes|\/likes)?$/.exec(pathname) ?? []
      const book = books.find((one) => one.id === id)
      if (book === undefined) return page(404, '<p>No such book.')
      if (rest === '') return page(200, bookPage(book))
      if (rest === '/likes') {
        const isOwn = request.headers.cookie.includes(`seen=${String(request.headers['x-seen'])}`)
        const answer = !isOwn
          ? { error: 'stale' }
          : book.stars === null
            ? { error: 'unread' }
            : { likes: book.stars * 3 }
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      }
      const note = new URLSearchParams(body).get('note') ?? ''
      if (note.length < 3) return page(200, '<ul class=errorlist><li>Say a little more.</ul>')
      return lead(`/books/${id}?note=n1`)
    })
  })
  const host = `http://127.0.0.1:${await listen(server)}`
  return {
    host,
    session: { cookies: [{ name: 'sid', value: sid, domain: '127.0.0.1', path: '/' }], user_agent: null },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function listPage(tag: string | null): string {
  const found = books.filter(({ tags }) => tag === null || tags.includes(tag))
  if (found.length === 0) return '<p class="none">Nothing here.</p>'
  const items = found.map(
    ({ id, title, author, tags }) => `<li class="book" data-id=${id}>
  <a class="title" href="/books/${id}">${escaped(title)}</a>
  ${author === null ? '' : `<span class=author>${author}</span>`}
  ${tags.map((one) => `<b class="tag">${one}</b>`).join(' ')}`,
  )
  return `<ul class="books">${items.join('\n')}</ul>`
}

function bookPage({ id, title, stars }: (typeof books)[number]): string {
  return `<h1>${escaped(title)}</h1>
<script>window.__BOOK__ = ${JSON.stringify({ id, rating: { stars } })};</script>
<form method=post action="/books/${id}/notes"><input type=hidden name=sectok value="CSRF"><textarea name=note></textarea></form>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

/** The files of a connector for it. */
export function stallFiles(host: string): Readonly<Record<string, string>> {
  const callgate = { connector: './index.ts', api: 1, hosts: [host] }
  return {
    'package.json': JSON.stringify({ name: 'book-stall', version: '1.0.0', type: 'module', callgate }, null, 2),
    'index.ts': `import { AppRefused, Type, assigned, connector, cookieToken, endpoint, fields, firstOf, formToken, id, jsonSignIn, ledTo, nullableText,
  notFoundOn, redirectTo, refTo, refusedJson, refusedPage, select } from '@callgate/kit'

const book_id = id('book', 'From list_books.')
const Nullable = Type.Union([Type.String(), Type.Null()])

const list_books = endpoint({
  summary: 'List the books of the stall.',
  label: 'List books',
  brief: ['tag'],
  access: 'read',
  request: 'GET /books',
  input: { tag: Type.Optional(Type.String({ description: 'Only those with this tag.' })) },
  output: {
    books: Type.Array(Type.Object({ book_id: refTo('book'), title: Type.String(), author: Nullable, tags: Type.Array(Type.String()) })),
  },
  answer: 'page',
  decode: (_, { page }) => ({
    books: select(page).all('.book', { emptyWhen: '.none' }).map((book) => ({
      book_id: book.attribute('data-id'),
      title: book.select('.title').text(),
      author: book.optional('.author')?.text() ?? null,
      tags: book.all('.tag').map((tag) => tag.text()),
    })),
  }),
})

const get_book = endpoint({
  summary: 'Read about a book.',
  label: 'Read about a book',
  brief: ['book_id'],
  access: 'read',
  request: 'GET /books/{book_id}',
  input: { book_id },
  output: { book_id: refTo('book'), title: Type.String(), stars: Type.Union([Type.Number(), Type.Null()]) },
  answer: 'page',
  decode: (_, { page }) => {
    const { id, rating } = fields(assigned(page, 'window.__BOOK__'))
    return { book_id: id, title: select(page, 'h1').text(), stars: fields(rating)['stars'] }
  },
})

const add_note = endpoint({
  summary: 'Leave a note about a book.',
  label: 'Leave a note',
  brief: ['note'],
  effect: 'adds',
  shownBy: [],
  access: 'write',
  request: 'POST /books/{book_id}/notes',
  csrf: formToken({ page: '/books/{book_id}', field: 'sectok' }),
  failure: refusedPage('.errorlist', 'invalid_note'),
  input: { book_id, note: Type.String({ description: 'What it says.' }) },
  output: { book_id: refTo('book'), note_id: Type.String() },
  answer: 'redirect',
  encode: ({ note }) => ({ form: { note } }),
  decode: (_, { location }) => {
    const { part, query } = ledTo(location, /^books\\/(?<book>\\w+)$/, { note: true })
    return { book_id: part.book, note_id: query.get('note') }
  },
})

const like_book = endpoint({
  summary: 'Say that a book is good.',
  label: 'Like a book',
  brief: ['book_id'],
  effect: 'adds',
  shownBy: [],
  access: 'write',
  request: 'POST /books/{book_id}/likes',
  csrf: cookieToken({ page: '/books', cookie: 'seen', header: 'X-Seen' }),
  failure: refusedJson(({ error }) => ({ code: error, message: 'No.' })),
  input: { book_id },
  output: { likes: Type.Integer() },
})

export default connector({
  name: 'Book stall',
  description: 'Books, and what people say about them.',
  role: 'reader',
  origin: '${host}/',
  signIn: jsonSignIn({ page: 'login', who: 'me', account: ({ id, name }) => ({ id, label: name }) }),
  things: { book: { label: 'the book', toldBy: [{ read: 'get_book', by: 'book_id', id: 'book_id' }], title: ['title'], facts: [] } },
  failure: firstOf(redirectTo('login', 'auth_expired'), notFoundOn(404)),
  endpoints: [{ list_books, get_book, add_note, like_book }],
})
`,
  }
}
