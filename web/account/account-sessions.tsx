import type { JSX } from 'preact'
import type { OwnSession } from '../../core/users/web-sessions.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Time } from '../parts/time.tsx'
import { browserWords } from './browser-words.ts'

/** The user's sessions, each with a button to end it. */
export function Sessions(props: {
  readonly viewer: Viewer
  readonly sessions: readonly OwnSession[]
  readonly current: string
}): JSX.Element {
  const { viewer, sessions, current } = props
  return (
    <>
      <p class="hint">You stay signed in for 7 days without use, and for 30 days at most.</p>
      <ul class="accounts">
        {sessions.map((one) => (
          <li class="row beside-button" key={one.id}>
            <div>
              <strong>{browserWords(one.browser)}</strong>
              {one.id === current && <span class="hint"> · this browser</span>}
              <br />
              <span class="hint">
                {one.network === null ? '' : `From ${one.network}. `}Signed in <Time at={one.created_at} />, last used{' '}
                <Time at={one.seen_at} />
              </span>
            </div>
            {one.id !== current && (
              <ActionForm
                viewer={viewer}
                action="/account"
                class="inline"
                label={`Sign out ${browserWords(one.browser)}`}
              >
                <input type="hidden" name="session" value={one.id} />
                <button class="quiet" type="submit" name="action" value="sign-out-one">
                  Sign out there
                </button>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <ActionForm viewer={viewer} action="/account" label="Sign out all other browsers">
          <button class="quiet" type="submit" name="action" value="sign-out-others">
            Sign out all other browsers
          </button>
        </ActionForm>
      )}
    </>
  )
}
