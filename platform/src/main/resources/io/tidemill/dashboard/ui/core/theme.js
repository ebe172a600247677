// The theme: light, dark, or the system's; kept in local storage.
const KEY = 'tidemill-theme';
const CHOICES = ['auto', 'light', 'dark'];

export const theme = Object.assign(new EventTarget(), {
  choice: stored(),

  apply() {
    if (this.choice === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', this.choice);
    this.dispatchEvent(new Event('change'));
  },

  next() {
    this.choose(CHOICES[(CHOICES.indexOf(this.choice) + 1) % CHOICES.length]);
  },

  choose(choice) {
    this.choice = choice;
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // without local storage it lasts until the page is closed
    }
    this.apply();
  },
});

function stored() {
  try {
    const choice = localStorage.getItem(KEY);
    return CHOICES.includes(choice) ? choice : 'auto';
  } catch {
    return 'auto';
  }
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme.dispatchEvent(new Event('change')));
theme.apply();
