import type { Theme, Width } from './pictures.ts'

export type View = `${Width}-${Theme}`

const [phone, desk] = [['390-light'], ['1280-light']] as const satisfies readonly View[][]
const both = [...phone, ...desk] as const
const all = [...both, '390-dark', '1280-dark'] as const

/**
 * The views that are compared with a reference: what people decide on and sign in with in every view, of the others one view per layout.
 * All other checks are of every page in every view.
 */
export const pictured: Readonly<Record<string, readonly View[]>> = {
  'confirm-call': all,
  waiting: all,
  calls: all,
  'calls-call-1': both,
  'calls-call-2': desk,
  'calls-call-3': ['390-dark'],
  overview: all,
  'newcomer-overview': phone,
  login: all,
  'login-code': phone,
  'forgot-token': phone,
  'invitation-token': desk,
  'oauth-authorize': all,
  'connect-app-1': all,
  'connect-app-2': both,
  'connect-app-3': both,
  apps: both,
  'apps-app': both,
  standing: both,
  'standing-new': both,
  'standing-standing': phone,
  keys: both,
  'keys-key-actions': phone,
  notices: both,
  'play-app-endpoint': both,
  account: both,
  usage: ['390-light', '1280-dark'],
  'docs-app': desk,
  menu: ['390-light', '390-dark'],
}

export const isPictured = (name: string, view: View): boolean => pictured[name]?.includes(view) === true

export const pictureNames: readonly string[] = Object.entries(pictured).flatMap(([name, views]) =>
  views.map((view) => `${name}-${view}.png`),
)
