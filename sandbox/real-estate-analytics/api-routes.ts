import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { alertNames, listAlerts, listMails, mailNames, rhythms } from './alerts.ts'
import { grades, listAreas, placeOf } from './areas.ts'
import { allowanceOf, fileNames, listFiles, makeReport, planMonth } from './files.ts'
import { slashDay } from './formats.ts'
import { kinds, lanes, plans } from './homes.ts'
import { readParams } from './input.ts'
import { finder, near, nearLanes, runPreset, sheets, workup } from './market.ts'
import { grid, type Page } from './paging.ts'
import { listPresets, presetNames } from './presets.ts'
import { markets } from './ranking.ts'
import { addUnlisted, dropHome, listSaved, savedNames } from './saved.ts'
import { investors } from './tables.ts'

function desk(request: SignedIn): Reply {
  const { account, csrf } = request.viewer
  const { from, until } = planMonth(request)
  return json({
    desk_no: account.account,
    label: account.label,
    person: account.person,
    plan: account.kind,
    deskkey: csrf,
    plan_month: { from: slashDay(from), until: slashDay(until) },
    sheets: allowanceOf(request, 'sheet'),
    pdfs: allowanceOf(request, 'pdf'),
  })
}

const kindWords = {
  SFR: 'Single-family home',
  CND: 'Condo',
  TWN: 'Townhouse',
  MFR: 'Multi-family',
  MOB: 'Manufactured home',
}

const legend = ({ db, viewer }: SignedIn): Reply =>
  json({
    kinds: kinds.map((code) => ({ code, means: kindWords[code] })),
    meters: grades,
    plans,
    sheets,
    lanes,
    near_lanes: nearLanes,
    every: rhythms,
    places: listAreas(db, viewer.account.account).map(placeOf),
  })

const paged = <T extends object>(cols: readonly (keyof T & string)[], { items, list }: Page<T>): Reply =>
  json({ ...grid(cols, items), list })

function presets(request: SignedIn): Reply {
  readParams(request.query, {})
  return json(grid(presetNames, listPresets(request)))
}

const own: typeof data = (line, handle) => data(line, investors(handle))

export const apiRoutes: readonly Route[] = [
  free('GET /api/desk', desk),
  free('GET /api/legend', legend),
  data('GET /api/finder', (request) => json(finder(request))),
  data('GET /api/markets', (request) => json(markets(request))),
  own('GET /api/presets', presets),
  own('GET /api/presets/{preset}/run', (request) => json(runPreset(request))),
  own('GET /api/homes/{home}/workup', (request) => json(workup(request))),
  own('GET /api/homes/{home}/near', (request) => json(near(request))),
  own('POST /api/homes/{home}/pdf', (request) => json(makeReport(request), 201)),
  own('POST /api/workups', (request) => json(addUnlisted(request), 201)),
  own('GET /api/saved', (request) => paged(savedNames, listSaved(request))),
  own('DELETE /api/saved/{home}', (request) => json(dropHome(request))),
  own('GET /api/alerts', (request) => paged(alertNames, listAlerts(request))),
  own('GET /api/files', (request) => paged(fileNames, listFiles(request))),
  own('GET /api/mails', (request) => paged(mailNames, listMails(request))),
]
