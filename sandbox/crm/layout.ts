import { html, Html } from '../platform/html.ts'
import type { SandboxApp, Viewer } from '../platform/types.ts'
import { may } from './levels.ts'

const style = new Html(`
body{font:15px/1.5 system-ui,sans-serif;margin:0;color:#2a2438;background:#faf8fc;display:grid;grid-template-columns:12rem 1fr;min-height:100vh}
aside{background:#3b2a5c;color:#fff;padding:1rem}aside a,aside button{color:#fff;display:block;margin:.4rem 0}aside b{font-size:1.2rem}
aside button{background:none;border:0;text-decoration:underline;font:inherit;cursor:pointer;padding:0}main{padding:1rem 1.5rem;max-width:62rem}
table{border-collapse:collapse;width:100%;background:#fff}th,td{text-align:start;padding:.4rem .6rem;border-bottom:1px solid #e3dcec;vertical-align:top}
.card,form.card{background:#fff;border:1px solid #e3dcec;border-radius:8px;padding:.7rem 1rem;margin:.8rem 0}.text{white-space:pre-wrap;overflow-wrap:anywhere}
main>[role=alert]{background:#fde7e4;border:1px solid #b3261e;border-radius:8px;padding:.6rem 1rem}.small,.hint{color:#6d6480;font-size:.9em}
.tag{background:#ece5f6;border-radius:9px;padding:0 .5rem;margin-inline-end:.3rem}label{display:block;margin:.4rem 0}
input,select,textarea{font:inherit;padding:.3rem;max-width:100%}textarea{width:100%;min-height:5rem;box-sizing:border-box}
form.inline{display:inline-block;margin-inline-end:.5rem}main button{font:inherit;background:#5b3f93;color:#fff;border:0;border-radius:6px;padding:.35rem .8rem;cursor:pointer}
@media(max-width:40rem){body{display:block}}`)

export const root = '/crm'

const navigation = (viewer: Viewer): Html =>
  html`<a href="${root}/engagements">Engagements</a> <a href="${root}/people">People</a>
    <a href="${root}/blueprints">Blueprints</a> ${may(viewer, 'money') && html`<a href="${root}/bills">Bills</a>`}
    <a href="${root}/mail">Sent mail</a>
    <p class="who">
      <span dir="auto">${viewer.account.person}</span><br />${viewer.account.label}<br />${viewer.account.kind}
    </p>
    <form method="post" action="${root}/leave">${token(viewer)}<button>Sign out</button></form>`

export const layout: SandboxApp['layout'] = ({ title, body, viewer, problem }) =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      ${viewer && html`<meta name="xsrf" content="${viewer.csrf}" />`}
      <title>${title} – Atelio</title>
      <style>
        ${style}
      </style>
    </head>
    <body>
      <aside>
        <a href="${root}/"><b>Atelio</b></a>
        ${viewer ? navigation(viewer) : html`<a href="${root}/enter">Sign in</a>`}
      </aside>
      <main>${problem} ${body}</main>
    </body>
  </html>`

/** The hidden field of every form. */
export const token = (viewer: Viewer): Html => html`<input type="hidden" name="xsrf" value="${viewer.csrf}" />`

/** A form that is one button. */
export const button = (viewer: Viewer, action: string, label: string): Html =>
  html`<form class="inline" method="post" action="${root}${action}">${token(viewer)}<button>${label}</button></form>`

const digits: Record<string, number> = { JPY: 0, KWD: 3 }
const digitsOf = (currency: string): number => digits[currency] ?? 2

export const price = (minor: number, currency: string): string =>
  `${(minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))} ${currency}`

/** What somebody typed, such as `12,50`, as minor units; NaN where it is no amount. */
export function typedMinor(typed: string, currency: string): number {
  const text = typed.trim().replace(',', '.')
  if (!/^-?\d{1,12}(\.\d{1,3})?$/.test(text)) return Number.NaN
  const minor = Number(text) * 10 ** digitsOf(currency)
  return Math.abs(minor - Math.round(minor)) < 1e-6 ? Math.round(minor) : Number.NaN
}

export const words: Record<string, string> = {
  INQUIRY: 'inquiry',
  BOOKED: 'booked',
  PROPOSAL: 'proposal',
  CONTRACT: 'contract',
  SURVEY: 'questionnaire',
  RIDER: 'sub-agreement',
  INTAKE: 'lead form',
  UNSENT: 'not sent',
  OUT: 'sent',
  SEEN: 'opened by the client',
  COUNTERSIGN: 'waits for your signature',
  DONE: 'completed',
}
