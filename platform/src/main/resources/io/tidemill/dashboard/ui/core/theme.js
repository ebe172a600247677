// Light, dark, or as the system says; remembered.
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
      // a browser that keeps nothing: it lasts until the page is closed
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
