import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route } from '../platform/types.ts'
import { usDay } from './clock.ts'
import { reviseFile } from './files.ts'
import { listGoods, ownGood, shelves, sorts, type Good } from './goods.ts'
import { readForm } from './input.ts'
import { layout, pass, root } from './layout.ts'
import { dollars } from './money.ts'
import { choice, done, goodPath, onward } from './page-parts.ts'
import { atDesk, type AtDesk } from './shop.ts'
import { changeGood, createGood, setShelf, termFields } from './terms.ts'

const lines = (text = ''): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The fields of a form as a JSON request would send them: lists are one a line. */
function termsOf(request: AtDesk, more: readonly string[]): Record<string, unknown> {
  const { hall_pass: _, ...fields } = readForm(request, [...termFields, ...more])
  const lists = ['levels', 'topics', 'labels'].map((name) => [name, lines(fields[name])] as const)
  return { ...fields, ...Object.fromEntries(lists) }
}

function termInputs(good?: Good): Html {
  const list = (name: 'levels' | 'topics' | 'labels'): Html =>
    html`<label>${name}, one a line <textarea name="${name}" dir="auto">${good?.[name].join('\n')}</textarea></label>`
  return html`<label>Name <input name="name" required maxlength="120" dir="auto" value="${good?.name}" /></label>
    <label>About <textarea name="about" dir="auto">${good?.about}</textarea></label>
    <label>Price <input name="cost" required value="${dollars(good?.cost ?? 300)}" /></label>
    <label>Each further licence <input name="more_cost" required value="${dollars(good?.moreCost ?? 270)}" /></label>
    ${(['levels', 'topics', 'labels'] as const).map(list)}`
}

function goodsPage(request: AtDesk): Reply {
  const { viewer, query } = request
  const found = listGoods(request)
  const rows = found.rows.map((good) => [
    html`<a href="${goodPath(good.no)}">${good.name}</a>`,
    good.sort,
    good.cost,
    good.shelf,
    good.drawer,
  ])
  const body = html`<h1>Goods</h1>
    <form>
      ${choice('shelf', ['any', ...shelves], query.get('shelf'))}
      ${choice('sort', ['any', ...sorts], query.get('sort'))}
      <button>Show</button>
    </form>
    ${table(['Name', 'Sort', 'Price', 'Shelf', 'Drawer'], rows)} ${onward(request, '/shop/goods', found)}
    <form class="card" method="post" action="${root}/shop/goods">
      <h2>New download</h2>
      ${pass(viewer)}${termInputs()}<label>Drawer <input name="drawer" maxlength="60" dir="auto" /></label>
      <label>Address of the file <input name="link" required /></label>${choice('shelf', shelves, null)}
      <button>Add</button>
    </form>`
  return page(layout({ title: 'Goods', body, viewer }))
}

function forms({ viewer }: AtDesk, good: Good): Html {
  const to = good.shelf === 'live' ? 'hidden' : 'live'
  const revise = html`<form class="card" method="post" action="${goodPath(good.no)}/file">
    <h2>New file</h2>
    ${pass(viewer)}<label>Address of the file <input name="link" required /></label>
    ${choice('tell', ['no', 'yes'], null)} past buyers
    <label>Note to them <textarea name="note" dir="auto"></textarea></label><button>Replace</button>
  </form>`
  return html`<form class="card" method="post" action="${goodPath(good.no)}/shelf">
      ${pass(viewer)}<input type="hidden" name="shelf" value="${to}" /><button>Make it ${to}</button>
    </form>
    ${good.sort === 'download' && revise}
    <form class="card" method="post" action="${goodPath(good.no)}">
      <h2>Change</h2>
      ${pass(viewer)}${termInputs(good)}<button>Save</button>
    </form>`
}

function goodPage(request: AtDesk): Reply {
  const good = ownGood(request, request.params['good'] ?? '')
  const { name, part } = good
  const body = html`<h1 dir="auto">${name}</h1>
    ${done(request.query)}
    <p>
      ${good.sort} · ${good.shelf} · ${dollars(good.cost)} · listed ${usDay(good.listed)} · ${good.madeAs.join(', ')}
      ${part && html`· ${part.file}, ${part.kb} kB, revision ${part.revision} of ${usDay(part.day)}`}
      ${good.shelf === 'live' && html`· <a href="${root}/g/${good.no}">as buyers see it</a>`}
    </p>
    ${forms(request, good)}`
  return page(layout({ title: name, body, viewer: request.viewer }))
}

function submitNew(request: AtDesk): Reply {
  const { no } = createGood(request, termsOf(request, ['drawer', 'shelf', 'link']))
  return seeOther(`${goodPath(no)}?done=created`)
}

function submitChange(request: AtDesk): Reply {
  const good = ownGood(request, request.params['good'] ?? '')
  changeGood(request, good, termsOf(request, []))
  return seeOther(`${goodPath(good.no)}?done=changed`)
}

function submitShelf(request: AtDesk): Reply {
  const { no, shelf } = setShelf(request, request.params['good'] ?? '')
  return seeOther(`${goodPath(no)}?done=${shelf}`)
}

function submitFile(request: AtDesk): Reply {
  const no = request.params['good'] ?? ''
  const { revision, told, batch } = reviseFile(request, no)
  return seeOther(`${goodPath(Number(no))}?done=file&revision=${revision}&told=${told}&batch=${batch}`)
}

export const goodPages: readonly Route[] = [
  show('GET /shop/goods', atDesk(goodsPage)),
  submit('POST /shop/goods', atDesk(submitNew)),
  show('GET /shop/goods/{good}', atDesk(goodPage)),
  submit('POST /shop/goods/{good}', atDesk(submitChange)),
  submit('POST /shop/goods/{good}/shelf', atDesk(submitShelf)),
  submit('POST /shop/goods/{good}/file', atDesk(submitFile)),
]
