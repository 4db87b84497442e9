import type { JSX } from 'preact'
import { recoveryCodes } from '../../core/users/recovery-codes.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'

/** What the codes replace: a TOTP app, or the passkeys of a passkey-only account. */
export type CodesFor = 'app' | 'passkeys'

/** The codes, shown once. */
export function RecoveryCodesPage(props: {
  readonly viewer: Viewer
  readonly codes: readonly string[]
  readonly forWhat: CodesFor
}): JSX.Element {
  const { viewer, codes, forWhat } = props
  return (
    <Layout title="Your recovery codes" viewer={viewer} script="play.js">
      <article class="card lone">
        <h1>Your recovery codes</h1>
        <p class="notice warn">
          These {recoveryCodes} codes are shown only now. Keep them where your{' '}
          {forWhat === 'app' ? 'phone is' : 'passkeys are'} not: on paper, or in a safe place of somebody whom you
          trust. Codes that you had before do nothing any more.
        </p>
        <ShownOnce text={codes.join('\n')} copy="Copy the codes" />
        {forWhat === 'app' ? (
          <p>
            If you lose the app, each of them stands in for its code at a sign-in with your password. It works once.
          </p>
        ) : (
          <p>
            If you lose all passkeys, each of them lets you make one new passkey, on the{' '}
            <a href="/recover">page for recovery codes</a>. It works once.
          </p>
        )}
        <p>
          <a class="button" href={forWhat === 'app' ? '/account/totp' : '/account'}>
            I have kept them
          </a>
        </p>
      </article>
    </Layout>
  )
}
