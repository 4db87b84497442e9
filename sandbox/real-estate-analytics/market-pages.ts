import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import { text } from '../platform/rows.ts'
import { table } from '../platform/shell.ts'
import type { AppRequest, Reply, Route, SignedIn } from '../platform/types.ts'
import { exportSheet } from './files.ts'
import { ownHome } from './homes.ts'
import { criteriaFields, deskPage, form, gridTable, input, jsonForm, jsonScript, layout, link } from './layout.ts'
import { root, select } from './layout.ts'
import { finder, near, nearLanes, runPreset, sheets, workup } from './market.ts'
import { createPreset, dropPreset, listPresets, renamePreset } from './presets.ts'
import { markets } from './ranking.ts'
import { isSaved, keepHome, rateHome } from './saved.ts'
import { idOf, investors, ownRow } from './tables.ts'

const front = ({ viewer }: AppRequest): Reply =>
  page(
    layout({
      title: 'Yieldwright',
      viewer,
      body: html`<h1>What would it earn?</h1>
        <p>Homes, rentals and neighborhoods for investors. <a href="${root}/presets">Come in.</a></p>`,
    }),
  )

function finderPage(request: SignedIn): Reply {
  const asked = html`<form class="card">
    ${input('City', 'city', request.query.get('city') ?? 'Austin, TX')} ${input('Miles around', 'within')}
    ${select('Let', 'plan', ['', 'nightly', 'yearly'])} ${input('Price to (USD 400000)', 'px_to')}
    <button>Find</button>
  </form>`
  const found = request.query.has('city') && gridTable(finder(request))
  return deskPage(request, 'Finder', html`${asked} ${found}`)
}

const marketPage = (request: SignedIn): Reply => deskPage(request, 'Markets', gridTable(markets(request)))

function presetPage(request: SignedIn): Reply {
  const rows = listPresets(request).map(({ preset, title, crit }) => [
    link(`presets/${preset}`, title),
    JSON.stringify(crit),
  ])
  const fields = html`${input('Title', 'title')} ${criteriaFields}`
  const body = html`${table(['Title', 'Asks for'], rows)} ${form(request, 'presets', 'New preset', fields)}`
  return deskPage(request, 'Presets', body)
}

function presetDetail(request: SignedIn): Reply {
  const row = ownRow(request, 'presets', request.params['preset'])
  const path = `presets/${request.params['preset']}`
  const where = request.query.get('where') ?? ''
  const run = where === '' ? false : runPreset(request)
  const body = html`<form class="card">
      ${input('Where', 'where', where)} ${select('Sheet', 'sheet', sheets, request.query.get('sheet') ?? '')}
      <button>Run</button>
    </form>
    ${
      run &&
      html`<p>${run.found} in ${run.place}</p>
        ${gridTable(run)}`
    }
    ${form(request, `${path}/sheet`, 'Export neighborhoods', input('Only in', 'where'))}
    ${form(request, `${path}/title`, 'Rename', input('Title', 'title', text(row, 'title')))}
    ${form(request, `${path}/drop`, 'Delete')}`
  return deskPage(request, text(row, 'title'), body)
}

function homePage(request: SignedIn): Reply {
  const home = ownHome(request)
  const id = idOf('homes', home.serial)
  const { plans, ...top } = workup({ ...request, query: new URLSearchParams() })
  const comps = nearLanes.map((lane) => {
    const query = new URLSearchParams({ lane, rows: '5' })
    return html`<h2>Near: ${lane}</h2>
      ${gridTable(near({ ...request, query }))}`
  })
  const stars = select('Stars', 'stars', ['', '1', '2', '3', '4', '5'])
  const forms = isSaved(request.db, home)
    ? html`${form(request, `homes/${id}/stars`, 'Rate it', stars)}
      ${jsonForm('DELETE', `api/saved/${id}`, 'Remove from saved')}`
    : form(request, `homes/${id}/keep`, 'Save it', html`${stars} ${input('Memo', 'memo')}`)
  const body = html`<p>${home.lane} · ${home.kind} · ${top.ask} · cash needed ${top.cash_in}</p>
    ${table(
      ['Let', 'Figures (estimates)'],
      Object.entries(plans).map(([plan, made]) => [plan, JSON.stringify(made)]),
    )}
    ${forms}
    ${jsonForm('POST', `api/homes/${id}/pdf`, 'PDF report', html`${input('Firm', 'firm')} ${input('Logo', 'logo')}`)}
    ${comps} ${jsonScript}`
  return deskPage(request, home.street, body)
}

function sheetMade(request: SignedIn): Reply {
  const { file, used, of, rows } = exportSheet(request)
  return seeOther(`${root}/files/${file}?done=sheet&used=${used}&of=${of}&lines=${rows}`)
}

function presetDropped(request: SignedIn): Reply {
  dropPreset(request)
  return seeOther(`${root}/presets?done=dropped`)
}

const shown = (line: `GET /${string}`, handle: (request: SignedIn) => Reply): Route => show(line, investors(handle))
const sent = (line: `POST /${string}`, handle: (request: SignedIn) => string): Route =>
  submit(
    line,
    investors((request) => seeOther(`${root}${handle(request)}`)),
  )

export const marketPages: readonly Route[] = [
  open('GET /', front),
  show('GET /finder', finderPage),
  show('GET /markets', marketPage),
  shown('GET /presets', presetPage),
  sent('POST /presets', (request) => `/presets/${createPreset(request)}?done=made`),
  shown('GET /presets/{preset}', presetDetail),
  sent('POST /presets/{preset}/title', (request) => `/presets/${renamePreset(request)}?done=renamed`),
  submit('POST /presets/{preset}/drop', investors(presetDropped)),
  submit('POST /presets/{preset}/sheet', investors(sheetMade)),
  shown('GET /homes/{home}', homePage),
  sent('POST /homes/{home}/keep', (request) => `/saved?done=kept&home=${keepHome(request)}`),
  sent('POST /homes/{home}/stars', (request) => `/saved?done=rated&home=${rateHome(request)}`),
]
