import type Router from '@koa/router'
import { clientsPath } from '../core/http/api.ts'
import type { Api } from '../core/http/api.ts'
import { askAccess, grantAccess } from './keys/access.ts'
import { serveAsset, serveManifest, serveWorker } from './parts/assets.ts'
import { decide, showConfirm } from './confirm/confirm.ts'
import { ownCall } from './confirm/own-call.ts'
import { askForDecision } from './confirm/passkey.ts'
import { showFile } from './confirm/show-file.ts'
import { showConnect } from './connect/connect.ts'
import { showRecord } from './connect/record.tsx'
import { changeAccount, showAccount } from './account/account.ts'
import { askAgain, provenOf } from './account/again.ts'
import { downloadOwnData, eraseOwnAccount } from './account/own-data.ts'
import { changeApp, showOwnApp, showOwnApps, weakensApp } from './apps/apps.ts'
import { sendCalls } from './calls/calls-csv.ts'
import { changeCall, showCall, showCalls } from './calls/calls.ts'
import { choosePlan, showCredits } from './credits/credits.ts'
import { showHome } from './home/home.ts'
import { changeStanding, createStanding, showStanding, showStandingForm, showStandings } from './standing/standing.ts'
import { showKeyActions } from './keys/actions.ts'
import { changeKey, createKey, showKeys, widensKey } from './keys/keys.ts'
import { changeInvitation, invitePerson, showPeople } from './account/people.ts'
import { showTarget } from './notices/choice.ts'
import { changeNotices, changeTarget, showNotices } from './notices/notices.ts'
import { countWaiting, decideTicked, newWaiting, showWaiting } from './calls/waiting.ts'
import {
  showApp,
  showApps,
  showClients,
  showError,
  showErrors,
  showGuide,
  showSearch,
  showStart,
  showWelcome,
} from './docs/docs.ts'
import { noCall, streamCall } from './live/events.ts'
import { watchCalls } from './live/events-hub.ts'
import { changeEmail, confirmNewEmail, showConfirmEmail, showEmail } from './account/email.ts'
import { showUndoEmail, takeEmailBack } from './account/email-undo.ts'
import { askToReset, setForgotten, showForgot, showReset } from './account/forgot.ts'
import { showInvitation, useInvitation } from './account/invitation.ts'
import { showLoginCode, signInWithCode } from './account/login-code.ts'
import { chooseTheme } from './account/theme.ts'
import { changeTotp, showTotp } from './account/totp.ts'
import { showLogin, signIn, signOut } from './account/login.ts'
import { addMadePasskey, askForPasskey, askToAddPasskey, changePasskey, signInWithPasskey } from './account/passkeys.ts'
import { changePasskeysOnly, goOn } from './account/passkeys-only.ts'
import { askToRecover, makeRecovered, showRecover } from './account/recover.ts'
import { askConsent, decideConsent } from './oauth/consent.ts'
import { play, showPlaces, showPlay } from './play/play.ts'
import { showUsage } from './calls/plots.ts'
import { notSignedIn } from './form.ts'
import { pageRouter } from './page-router.ts'
import { replyError } from './reply.ts'
import { personOf, viewerOf } from './session.ts'
import type { SignedIn } from './session.ts'

/** The server-rendered pages. Passes all other addresses to the next middleware. */
export function pages(api: Api): ReturnType<Router['routes']> {
  const { ctx } = api
  const watch = watchCalls(api)
  const site = pageRouter<{ readonly person: SignedIn }>({
    api,
    url: ctx.config.publicUrl,
    async whoIsSignedIn(koa) {
      const person = await personOf(ctx, koa)
      return person && { person }
    },
    tokenOf: ({ person }) => person.csrf,
    async provenOf(posted) {
      const person = await provenOf(posted)
      return person && { person }
    },
    showError: async (koa, error) => replyError(koa, error, await viewerOf(ctx, koa)),
  })
  site.forSignedIn('/', { get: showHome, stranger: (koa) => showWelcome(api, koa) })
  site.forSignedIn('/waiting', { get: showWaiting, post: decideTicked, weakens: 'never' })
  site.forSignedIn('/waiting/count', { get: countWaiting, stranger: refuse(notSignedIn) })
  site.forSignedIn('/waiting/news', { get: newWaiting, stranger: refuse(notSignedIn) })
  site.forSignedIn('/calls', { get: showCalls })
  site.forSignedIn('/calls.csv', { get: sendCalls })
  site.forSignedIn('/calls/:call', { get: showCall, post: changeCall, weakens: 'never' })
  site.forSignedIn('/calls/:call/events', { get: (visit) => streamCall(watch, visit), stranger: refuse(noCall) })
  site.forSignedIn('/standing', { get: showStandings })
  site.forSignedIn('/standing/new', { get: showStandingForm, post: createStanding, weakens: 'always' })
  site.forSignedIn('/standing/:standing', { get: showStanding, post: changeStanding, weakens: 'never' })
  site.forSignedIn('/apps', { get: showOwnApps })
  site.forSignedIn('/apps/:app', { get: showOwnApp, post: changeApp, weakens: weakensApp })
  site.forSignedIn('/keys', { get: showKeys, post: createKey, weakens: 'always' })
  site.forSignedIn('/keys/:key', { post: changeKey, weakens: ({ form }) => widensKey(form) })
  site.forSignedIn('/keys/:key/actions', { get: showKeyActions })
  site.forSignedIn('/credits', { get: showCredits, post: choosePlan, weakens: 'never' })
  site.forSignedIn('/account', { get: showAccount, post: changeAccount, weakens: 'never' })
  site.forSignedIn('/account/export', { post: downloadOwnData, weakens: 'always' })
  site.forSignedIn('/account/erase', { post: eraseOwnAccount, weakens: 'always' })
  site.forSignedIn('/account/email', {
    get: showEmail,
    post: changeEmail,
    weakens: ({ form }) => form.get('action') !== 'cancel',
  })
  site.forSignedIn('/account/email/:token', { get: showConfirmEmail, post: confirmNewEmail, weakens: 'never' })
  site.forSignedIn('/account/totp', {
    get: showTotp,
    post: changeTotp,
    weakens: ({ form }) => form.get('action') !== 'confirm',
  })
  site.forSignedIn('/account/theme', { post: chooseTheme, weakens: 'never' })
  site.forSignedIn('/account/passkey', { post: addMadePasskey, weakens: 'never' })
  site.forSignedIn('/account/passkey/options', { post: askToAddPasskey, weakens: 'never' })
  site.forSignedIn('/account/passkeys/:passkey', { post: changePasskey, weakens: 'always' })
  site.forSignedIn('/account/passkeys-only', { post: changePasskeysOnly, weakens: 'always' })
  site.forSignedIn('/account/proof', { post: goOn, weakens: 'always' })
  site.forSignedIn('/account/again/options', { post: askAgain, weakens: 'never' })
  site.forSignedIn('/notices', { get: showNotices, post: changeNotices, weakens: 'never' })
  site.forSignedIn('/notices/:target', { get: showTarget, post: changeTarget, weakens: 'never' })
  site.forSignedIn('/people', { get: showPeople, post: invitePerson, weakens: 'never' })
  site.forSignedIn('/people/:invitation', { post: changeInvitation, weakens: 'never' })
  site.forSignedIn('/usage', { get: showUsage })
  site.forSignedIn('/play', { get: showPlaces })
  site.forSignedIn('/play/:app/:endpoint', { get: showPlay, post: play, weakens: 'never' })
  site.forSignedIn('/confirm/:call', { get: showConfirm, post: decide, weakens: 'never', exists: ownCall })
  site.forSignedIn('/confirm/:call/passkey/options', { post: askForDecision, weakens: 'never' })
  site.forSignedIn('/confirm/:call/files/:place', { get: showFile })
  site.forSignedIn('/connect/:app', { get: showConnect })
  site.forSignedIn('/record/:trace', { get: showRecord })
  site.forSignedIn('/access/:app', { get: askAccess, post: grantAccess, weakens: 'always' })
  site.forSignedIn('/oauth/authorize', {
    get: askConsent,
    post: decideConsent,
    weakens: ({ form }) => form.get('decision') === 'allow',
  })
  site.forAnybody('/docs', { get: showApps })
  site.forAnybody('/docs/start', { get: showStart })
  site.forAnybody('/docs/search', { get: showSearch })
  for (const guide of ['mcp', 'webhooks', 'connectors'])
    site.forAnybody(`/docs/${guide}`, { get: (visit) => showGuide(visit, guide) })
  site.forAnybody('/docs/errors', { get: showErrors })
  site.forAnybody('/docs/errors/:code', { get: showError })
  site.forAnybody('/docs/:app', { get: showApp })
  site.forAnybody(clientsPath, { get: showClients })
  site.forAnybody('/login', { get: showLogin, post: signIn })
  site.forAnybody('/login/code', { get: showLoginCode, post: signInWithCode })
  site.forAnybody('/login/passkey', { post: signInWithPasskey })
  site.forAnybody('/login/passkey/options', { post: askForPasskey })
  site.forAnybody('/recover', { get: showRecover, post: makeRecovered })
  site.forAnybody('/recover/options', { post: askToRecover })
  site.forAnybody('/forgot', { get: showForgot, post: askToReset })
  site.forAnybody('/forgot/:token', { get: showReset, post: setForgotten })
  site.forAnybody('/email/:token', { get: showUndoEmail, post: takeEmailBack })
  site.forAnybody('/invitation/:token', { get: showInvitation, post: useInvitation })
  site.forAnybody('/logout', { post: signOut })
  site.forAnybody('/assets/:asset', { get: serveAsset })
  site.forAnybody('/manifest.webmanifest', { get: serveManifest })
  site.forAnybody('/worker.js', { get: serveWorker })
  return site.routes()
}

function refuse(error: () => Error): () => never {
  return () => {
    throw error()
  }
}
