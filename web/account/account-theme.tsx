import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { ActionForm } from '../parts/dashboard.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { ThemeHere } from '../parts/theme.tsx'
import type { Theme } from '../parts/theme.tsx'

const words: Readonly<Record<Theme, string>> = {
  system: 'Same as this device',
  light: 'Light',
  dark: 'Dark',
}

/** Theme of this browser, as a section of the account page. */
export function AccountTheme({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const chosen = useContext(ThemeHere)
  return (
    <section class="card" aria-labelledby="theme">
      <h2 id="theme">Light or dark</h2>
      <p class="hint">Applies to this browser, also when you are signed out.</p>
      <ActionForm viewer={viewer} action="/account/theme" label="Light or dark">
        <fieldset class="ticks">
          <legend>Theme</legend>
          {Object.entries(words).map(([theme, text]) => (
            <label key={theme} class="tick">
              <input type="radio" name="theme" value={theme} checked={theme === chosen} required />
              {text}
            </label>
          ))}
        </fieldset>
        <button class="quiet" type="submit">
          Save
        </button>
      </ActionForm>
    </section>
  )
}
