import { View, heading } from '../core/element.js';

class Overview extends View {
  render() {
    return heading('Overview');
  }
}

customElements.define('tm-overview', Overview);
